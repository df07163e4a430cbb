import { unifyEscapes } from '../urls/url-key.ts';

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
export function normalizePattern(value: string): string | undefined {
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
