import { unifyEscapes } from '../urls/url-key.ts';

/**
 * Returns a path with query in the form in which robots.txt rules are compared: percent-encoded octets in upper case, and
 * unreserved ones decoded (RFC 9309, section 2.2.2).
 */
export function normalizePath(path: string): string {
  return unifyEscapes(encodeOthers(path));
}

/** Returns the pattern of a rule in the same form; nothing for an empty one, which concerns no path. */
export function normalizePattern(value: string): string | undefined {
  if (value === '') return undefined;
  const pattern = value.startsWith('/') || value.startsWith('*') ? value : `/${value}`;
  return normalizePath(pattern.replace(/\*+/g, '*'));
}

/** Percent-encodes white space and all characters beyond ASCII, as URLs do. */
function encodeOthers(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
