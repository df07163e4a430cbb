import { hash } from 'node:crypto';

/** Query parameters that make no other page: `true` for all of them, or names, where `*` stands for any characters. */
export type IgnoredQuery = boolean | readonly string[];

/**
 * Returns the key under which URLs of the same page are equal. It only compares: what is fetched is the URL as it was found.
 *
 * The scheme counts as https; the fragment (except `#!`), tracking parameters and session ids are left out; escapes are
 * unified (RFC 3986, section 6.2.2); parameters are sorted, and equal ones counted once. The case of the path, trailing
 * slashes and `www.` stay: where such URLs are the same page, redirects or equal content show it.
 *
 * @returns 128 bits of SHA-256 in base64url, 22 characters
 */
export function urlKey(url: URL, ignoredQuery: IgnoredQuery = false): string {
  const digest = hash('sha256', comparableUrl(url, ignoredQuery), 'buffer');
  return digest.subarray(0, 16).toString('base64url');
}

/** Returns the text that `urlKey` hashes. */
export function comparableUrl(url: URL, ignoredQuery: IgnoredQuery = false): string {
  const query = ignoredQuery === true ? '' : comparableQuery(url.search.slice(1), ignoredQuery || []);
  const fragment = url.hash.startsWith('#!') ? unifyEscapes(url.hash) : '';
  const path = unifyEscapes(url.pathname).replace(PATH_SESSION, '');
  return `https://${hostOf(url)}${path}${query === '' ? '' : `?${query}`}${fragment}`;
}

/** Returns the host without a port that is the default of the scheme. */
function hostOf({ hostname, port, protocol }: URL): string {
  const isDefault = port === '' || (protocol === 'http:' && port === '80') || port === '443';
  return isDefault ? hostname : `${hostname}:${port}`;
}

const PATH_SESSION = /;(?:jsessionid|phpsessid)=[^/;]*/gi;

/** Parameters of campaigns and advertisers. */
const TRACKING = /^(?:utm_.*|gclid|gbraid|wbraid|dclid|fbclid|msclkid|mc_cid|mc_eid|_ga|_gl|yclid|igshid)$/i;
const SESSION_NAME = /^(?:jsessionid|phpsessid|aspsessionid[a-z]*|cfid|cftoken)$/i;
const SESSION_ID = /^[0-9a-f]{16,}$/i;

function comparableQuery(query: string, ignored: readonly string[]): string {
  const parameters = new Set<string>();
  const isIgnored = nameTestOf(ignored);
  for (const pair of query.split('&')) {
    const [name = ''] = pair.split('=', 1);
    const value = pair.slice(name.length + 1);
    if (pair === '' || isSession(name, value) || TRACKING.test(name)) continue;
    if (isIgnored(name)) continue;
    parameters.add(unifyEscapes(pair.replaceAll('+', '%20')));
  }
  // A stable order by name alone: the order of values of one name can mean something.
  const ordered = [...parameters].toSorted((one, other) => compare(nameOf(one), nameOf(other)));
  return ordered.join('&');
}

function isSession(name: string, value: string): boolean {
  return SESSION_NAME.test(name) || (name.toLowerCase() === 'sid' && SESSION_ID.test(value));
}

type NameTest = (name: string) => boolean;

/** Tests by their patterns, which a crawl compares with every name of every URL. */
const NAME_TESTS = new WeakMap<readonly string[], NameTest>();

function nameTestOf(patterns: readonly string[]): NameTest {
  const known = NAME_TESTS.get(patterns);
  if (known) return known;
  const names = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(globTestOf);
  const test: NameTest = (name) => names.has(name) || globs.some((matches) => matches(name));
  NAME_TESTS.set(patterns, test);
  return test;
}

/** Returns the test of a pattern in which a `*` stands for any characters; it takes at most linear time in the name. */
function globTestOf(pattern: string): NameTest {
  const parts = pattern.split('*');
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  const between = parts.slice(1, -1).filter((part) => part !== '');
  const minLength = parts.reduce((sum, { length }) => sum + length, 0);
  return (name) => {
    if (name.length < minLength || !name.startsWith(head) || !name.endsWith(tail)) return false;
    const end = name.length - tail.length;
    let from = head.length;
    for (const part of between) {
      const index = name.indexOf(part, from);
      if (index === -1) return false;
      from = index + part.length;
    }
    return from <= end;
  };
}

function nameOf(parameter: string): string {
  return parameter.split('=', 1)[0] ?? '';
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Decodes escapes of unreserved characters and writes all others in upper case. RFC 3986, section 6.2.2. */
export function unifyEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded.toUpperCase();
  });
}
