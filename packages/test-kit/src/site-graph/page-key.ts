/**
 * Returns the name under which all spellings of a URL of the graph are equal, such as `127.0.0.1:80/docs/guide-1?a=b`. It
 * knows the spellings of the graph only, and shares no code with the crawler: tests compare one with the other.
 */
export function pageKey(url: string | URL): string {
  const { host, pathname, searchParams } = new URL(url);
  const path = canonicalPath(pathname.replace(/;jsessionid=[0-9a-f]+$/, ''));
  const query = [...searchParams]
    .filter(([name]) => !TRACKING.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const parameters = [...new Set(query)].toSorted().join('&');
  return host + path + (parameters === '' ? '' : `?${parameters}`);
}

/** Returns a path whose segments are escaped where they have to be, and in upper case. */
export function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}

/** Parameters that the graph decorates links with. */
const TRACKING: ReadonlySet<string> = new Set(['utm_source', 'utm_campaign', 'gclid', 'fbclid']);
