import { hashOf, type PageFacts } from '@gleaner/extraction';

/** Text of a page with little of it, and the URL of the page. */
export interface ShownText {
  readonly text: string;
  readonly url: string;
}

/** A page with more text of its own is not compared with others. */
const MAX_THIN_CHARS = 900;
/** Fewer words say too little to tell pages apart. */
const MIN_WORDS = 5;

/**
 * Returns what a thin page shows, with its title: one with less than 900 characters outside of links and controls, less than 4,000 in
 * all, and five words or more. Undefined for any other page.
 */
export function thinTextOf({ isRich, textChars, title, shown }: PageFacts): string | undefined {
  if (isRich || textChars >= MAX_THIN_CHARS || shown === '') return undefined;
  const text = `${title} ${shown}`;
  return wordsOf(text).length < MIN_WORDS ? undefined : text;
}

/**
 * Returns true if two pages show the same words, each as often, apart from the words of their own URLs, which sites repeat
 * in answers to paths that do not exist, and from what is new on each visit.
 */
export function isSameText(one: ShownText, other: ShownText): boolean {
  const [ones, others] = [countWords(one.text), countWords(other.text)];
  return isOnlyOwn(ones, others, one.url) && isOnlyOwn(others, ones, other.url);
}

/** Returns a hash that texts with the same words in the same order have in common, apart from what is new on each visit. */
export function hashOfText(text: string): string {
  return hashOf(wordsOf(text).join(' '));
}

/** Returns true if what `words` has more of than `others` are words of the URL. */
function isOnlyOwn(
  words: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
  url: string,
): boolean {
  const own = wordsOfUrl(url);
  for (const [word, count] of words) {
    if (count > (others.get(word) ?? 0) && !own.has(word)) return false;
  }
  return true;
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Times, dates, and ids of requests: UUIDs, and long hexadecimal numbers. Shorter codes are names of models. */
const NEW_EACH_TIME =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[a-f]{0,64}\d)[\da-f]{16,64}\b/g;

function wordsOf(text: string): string[] {
  const lasting = text.toLowerCase().replace(NEW_EACH_TIME, ' ');
  return lasting.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Returns the words of the path and the query, as they are written and decoded, without numbers: calendars and lists consist of them. */
function wordsOfUrl(url: string): ReadonlySet<string> {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  return new Set([...wordsOf(path), ...wordsOf(decode(path))].filter((word) => !/^\d+$/.test(word)));
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
