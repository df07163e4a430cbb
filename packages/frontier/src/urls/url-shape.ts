/** Longest URL that is crawled, in characters. */
const MAX_URL_CHARS = 2048;
const MAX_SEGMENTS = 20;
/** A segment, or a parameter, that comes more often is the sign of a link that grows from page to page. */
const MAX_REPEATS = 3;

/** Reason why a URL is a trap. */
export type TrapReason =
  | 'too long'
  | 'too many segments'
  | 'a repeated segment'
  | 'a repeated parameter'
  | 'an escaped query';

/** Returns why the URL looks like one of an endless series that a site creates by mistake; nothing for other URLs. */
export function findTrap(url: URL): TrapReason | undefined {
  const { href, pathname } = url;
  if (href.length > MAX_URL_CHARS) return 'too long';
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return 'too many segments';
  if (mostRepeats(segments) > MAX_REPEATS) return 'a repeated segment';
  if (url.search === '') return undefined;
  const names = [...url.searchParams.keys()];
  // `&amp;` that was escaped once more on each page.
  if (names.some((name) => name.startsWith('amp;'))) return 'an escaped query';
  return mostRepeats(names) > MAX_REPEATS ? 'a repeated parameter' : undefined;
}

function mostRepeats(values: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/**
 * Returns the patterns of a URL, the narrowest first: its host and path with dates, numbers and long identifiers replaced
 * by classes, and the names of its parameters; then the same with any parameters. Pages of one template share a pattern:
 * `example.com/p/{number}?page`.
 */
export function urlPatterns({ host, pathname, searchParams }: URL): readonly [string, ...string[]] {
  const path = host + pathname.split('/').map(classOf).join('/');
  const names = [...new Set([...searchParams.keys()].map(withoutNumbers))].toSorted();
  return names.length === 0 ? [path] : [`${path}?${names.join('&')}`, `${path}?*`];
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d{2}(?:-\d{2})?$/, '{date}'],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, '{id}'],
  [/^(?=.*\d)[0-9a-f]{12,}$/i, '{id}'],
];

function classOf(segment: string): string {
  const known = CLASSES.find(([pattern]) => pattern.test(segment));
  return known ? known[1] : withoutNumbers(segment);
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '{number}');
}
