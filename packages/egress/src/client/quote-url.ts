const MAX_CHARS = 300;

/**
 * Returns a URL as messages quote it: with its query, which may be all that tells one page from another, and without
 * credentials and fragment. The query is left out when it holds a URL that may have credentials. A long URL is cut.
 */
export function quoteUrl(url: URL | string): string {
  const quoted = URL.parse(url.toString());
  if (quoted === null) return 'a malformed URL';
  quoted.username = '';
  quoted.password = '';
  quoted.hash = '';
  if (/(?::|%3a)(?:\/|%2f){2}/i.test(quoted.search) && /@|%40/.test(quoted.search)) quoted.search = '?…';
  const href = quoted.href.replace('?%E2%80%A6', '?…');
  return href.length > MAX_CHARS ? `${href.slice(0, MAX_CHARS)}…` : href;
}
