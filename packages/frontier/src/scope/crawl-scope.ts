import { getDomain } from 'tldts';

/** Reach of a crawl: below the path of a start URL, on its host, on its registrable domain, or anywhere. */
export const SCOPES = ['path', 'host', 'domain', 'any'] as const;
export type Scope = (typeof SCOPES)[number];

/** Returns true if a crawl that began at the start URLs may fetch the URL. */
export function createScope(scope: Scope, startUrls: readonly URL[]): (url: URL) => boolean {
  if (scope === 'any') return () => true;
  if (scope === 'path') {
    const folders = startUrls.map((url) => ({ host: url.host, folder: folderOf(url) }));
    return ({ host, pathname }) =>
      folders.some((start) => start.host === host && `${pathname}/`.startsWith(start.folder));
  }
  const placeOf = scope === 'host' ? ({ host }: URL) => host : domainOf;
  const places = new Set(startUrls.map(placeOf));
  return (url) => places.has(placeOf(url));
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
