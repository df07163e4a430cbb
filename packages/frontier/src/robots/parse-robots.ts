import { unifyEscapes } from '../urls/url-key.ts';

/** One `allow` or `disallow` line; plain data, as all of `Robots`. */
export interface RobotsRule {
  readonly isAllowed: boolean;
  /** Begins with `/` or `*`; percent-encoded as `normalizePath` encodes paths. */
  readonly pattern: string;
}

/** The part of a robots.txt that concerns one crawler. */
export interface Robots {
  readonly rules: readonly RobotsRule[];
  /** Milliseconds between two requests (`Crawl-delay`, which RFC 9309 does not define but crawlers obey). */
  readonly crawlDelayMs?: number;
  /** URLs of `sitemap` lines, as they are written. */
  readonly sitemaps: readonly string[];
}

/** Longest line that is read, in characters; longer ones are cut. */
const MAX_LINE_CHARS = 16_664;
const MAX_SITEMAPS = 1000;

/** Groups of lines, collected while a file is read. */
interface Groups {
  /** Lines of all groups that name the crawler, and of all groups for `*`. */
  readonly own: Group;
  readonly global: Group;
  readonly sitemaps: string[];
}

interface Group {
  isNamed: boolean;
  readonly rules: RobotsRule[];
  crawlDelayMs?: number;
}

/**
 * Returns the rules of a robots.txt for a crawler, by RFC 9309: all groups that name its product token, else all groups
 * for `*`. Lines that cannot be read are skipped, as the RFC requires.
 *
 * @param text the file, at most as much of it as the caller wants to obey (the RFC requires at least 500 KiB)
 * @param product the token of the crawler, such as `Gleaner`, compared without case
 */
export function parseRobots(text: string, product: string): Robots {
  const groups: Groups = {
    own: { isNamed: false, rules: [] },
    global: { isNamed: false, rules: [] },
    sitemaps: [],
  };
  readLines(text, product.toLowerCase(), groups);
  const { rules, crawlDelayMs } = groups.own.isNamed ? groups.own : groups.global;
  return { rules, sitemaps: groups.sitemaps, ...(crawlDelayMs !== undefined && { crawlDelayMs }) };
}

function readLines(text: string, product: string, { own, global, sitemaps }: Groups): void {
  /** Groups to which the current line belongs. */
  let current = new Set<Group>();
  /** User-agent lines in a row name one group; the first after a rule begins another. */
  let isNaming = false;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const parsed = parseLine(line);
    if (!parsed) continue;
    const { key, value } = parsed;
    if (key === 'user-agent') {
      if (!isNaming) current = new Set();
      isNaming = true;
      const group = findGroup(value, product, { own, global });
      if (group) current.add(group);
    } else if (key === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else {
      isNaming = isNaming && key === 'other';
      for (const group of current) addTo(group, key, value);
    }
  }
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'other';

/** Names of lines, with the misspellings that large crawlers accept. */
const KEYS: Readonly<Record<string, Key>> = {
  'user-agent': 'user-agent',
  useragent: 'user-agent',
  'user agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  disalow: 'disallow',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
  'crawl-delay': 'crawl-delay',
};

/** Splits `key: value # comment`; also `key value`, which is a common mistake. Returns nothing for other lines. */
function parseLine(line: string): { key: Key; value: string } | undefined {
  const [content = ''] = line.slice(0, MAX_LINE_CHARS).split('#', 1);
  const text = content.trim();
  if (text === '') return undefined;
  const colon = text.indexOf(':');
  if (colon >= 0) return { key: keyOf(text.slice(0, colon)), value: text.slice(colon + 1).trim() };
  const [name = '', value, ...rest] = text.split(/[ \t]+/);
  return value !== undefined && rest.length === 0 ? { key: keyOf(name), value } : undefined;
}

function keyOf(name: string): Key {
  const folded = name.trim().toLowerCase();
  return Object.hasOwn(KEYS, folded) ? (KEYS[folded] ?? 'other') : 'other';
}

/** Returns the group that a user-agent value names for this crawler: its own, the one for `*`, or none. */
function findGroup(
  value: string,
  product: string,
  groups: Pick<Groups, 'own' | 'global'>,
): Group | undefined {
  if (/^\*(?:\s|$)/.test(value)) {
    groups.global.isNamed = true;
    return groups.global;
  }
  // A token ends at the first character that it cannot contain: `Gleaner/1.0` names Gleaner.
  const [token = ''] = value.split(/[^\w-]/, 1);
  if (token.toLowerCase() !== product) return undefined;
  groups.own.isNamed = true;
  return groups.own;
}

function addTo(group: Group, key: Key, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (value !== '' && seconds >= 0 && Number.isFinite(seconds))
      group.crawlDelayMs = Math.round(seconds * 1000);
  }
  if (key !== 'allow' && key !== 'disallow') return;
  const pattern = normalizePattern(value);
  if (pattern !== undefined) group.rules.push({ isAllowed: key === 'allow', pattern });
}

/**
 * Returns a path with query in the form in which robots.txt rules are compared: percent-encoded octets in upper case, and
 * unreserved ones decoded (RFC 9309, section 2.2.2). `*` and `$` are encoded as well, since patterns keep them for
 * wildcards (section 2.2.3).
 */
export function normalizePath(path: string): string {
  return unifyEscapes(encodeOthers(path));
}

/**
 * Returns the pattern of a rule in the same form, where only wildcards are written as `*` and `$`; nothing for an empty
 * one, which concerns no path.
 */
function normalizePattern(value: string): string | undefined {
  if (value === '') return undefined;
  const pattern = value.startsWith('/') || value.startsWith('*') ? value : `/${value}`;
  const end = pattern.endsWith('$') ? '$' : '';
  const parts = pattern.slice(0, pattern.length - end.length).split(/\*+/);
  return parts.map(normalizePath).join('*') + end;
}

/**
 * Percent-encodes all characters but unreserved and reserved ones (RFC 3986) and escapes. URLs encode some of them in
 * paths, others in queries, and people write either form in robots.txt; this includes `'`, which is reserved.
 */
function encodeOthers(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\w\-.~%:/?#[\]@!&()+,;=]+/g, (others) =>
      encodeURIComponent(others).replaceAll("'", '%27').replaceAll('*', '%2A'),
    );
}
