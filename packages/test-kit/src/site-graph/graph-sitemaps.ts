import { gzipSync } from 'node:zlib';
import { noise } from '../noise/noise.ts';
import { pageOf, type SiteGraph } from './graph-page.ts';
import { robotsOf } from './graph-robots.ts';
import { spellAbsolute } from './spell-link.ts';

const MAX_ENTRIES = 10_000;
const FOR = { listed: 41, lastmod: 42 };

/** Returns the URLs that the sitemaps of a host list, as they are spelled there. */
export function sitemapUrls(graph: SiteGraph, host: number): readonly string[] {
  const urls: string[] = [];
  for (let id = 0; id < graph.size; id += 1) {
    const page = pageOf(graph, id);
    const at = noise(graph.seed, id, FOR.listed);
    // Also some of other hosts, which are out of scope.
    const part = { listed: 1, linked: page.host === host ? 0.3 : 0.01, hidden: 0, shunned: 0, orphaned: 0 }[
      page.role
    ];
    if (at < part && (page.role === 'linked' || page.host === host))
      urls.push(spellAbsolute(graph, page, host));
  }
  return urls;
}

/** A sitemap file. */
export interface SitemapFile {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Path of a file on a host, and the URLs in all sitemaps of the host. */
export interface SitemapPlace {
  readonly host: number;
  readonly path: string;
  readonly urls: readonly string[];
}

/** Returns a file of the sitemaps of a host: the index, or one of its parts, of which every second one is gzipped. */
export function sitemapFile(graph: SiteGraph, { host, path, urls }: SitemapPlace): SitemapFile | undefined {
  const part = /^\/maps\/(\d+)\.xml(?:\.gz)?$/.exec(path)?.[1];
  if (part === undefined && path !== robotsOf(host).sitemap) return undefined;
  const size = Math.min(MAX_ENTRIES, Math.max(1, Math.ceil(urls.length / 2)));
  const origin = graph.origins[host];
  if (part === undefined) {
    const parts = Array.from({ length: Math.ceil(urls.length / size) }, (_, index) => index);
    return xmlFile(
      'sitemapindex',
      parts.map((index) => `<sitemap><loc>${origin}${partPath(index)}</loc></sitemap>`),
    );
  }
  const index = Number(part);
  const listed = urls.slice(index * size, (index + 1) * size);
  if (listed.length === 0 || path !== partPath(index)) return undefined;
  const entries = listed.map(
    (url) => `<url><loc>${escapeXml(url)}</loc><lastmod>${lastmodOf(graph, index)}</lastmod></url>`,
  );
  const file = xmlFile('urlset', entries);
  return path.endsWith('.gz') ? { type: 'application/gzip', body: gzipSync(file.body) } : file;
}

function partPath(index: number): string {
  return `/maps/${index}.xml${index % 2 === 1 ? '.gz' : ''}`;
}

function lastmodOf({ seed }: SiteGraph, index: number): string {
  const day = Math.floor(noise(seed, index, FOR.lastmod) * 365);
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
}

function xmlFile(root: string, entries: readonly string[]): SitemapFile {
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`;
  return { type: 'application/xml', body };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
