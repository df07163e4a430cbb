import type { CrawlScope } from '@gleaner/contracts';
import { getDomain } from 'tldts';

/**
 * Returns the place of a start URL: its host, its registrable domain, or its host with its folder. It is plain text, so
 * that the places of a crawl can be stored.
 */
export function placeOf(scope: CrawlScope, url: URL): string {
  if (scope === 'path') return url.host + folderOf(url);
  return scope === 'domain' ? domainOf(url) : url.host;
}

/** Returns a function that tells whether a URL lies within one of the places of a crawl. */
export function createScope(scope: CrawlScope, places: readonly string[]): (url: URL) => boolean {
  if (scope === 'any') return () => true;
  const known = new Set(places);
  if (scope !== 'path') return (url) => known.has(placeOf(scope, url));
  return ({ host, pathname }) => places.some((folder) => `${host}${pathname}/`.startsWith(folder));
}

/** Returns the folder of a URL with a slash at its end: `/docs/` for `/docs/`, `/docs` and `/docs/index.html`. */
function folderOf({ pathname }: URL): string {
  if (pathname.endsWith('/')) return pathname;
  const [last = ''] = pathname.split('/').slice(-1);
  return last.includes('.') ? pathname.slice(0, pathname.length - last.length) : `${pathname}/`;
}

/** Returns the registrable domain by the Public Suffix List with its private part; the host if it has none. */
function domainOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
