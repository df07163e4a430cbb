import { TextDecoder } from 'node:util';
import { AppError, type CrawlFilter, defined, type RobotsFound, type SitemapFound } from '@gleaner/contracts';
import type { Budget } from '@gleaner/extraction';
import { parseRobots, type Sitemap, SitemapReader } from '@gleaner/frontier';
import { decodeBody, sniffEncoding } from '../decode/sniff-encoding.ts';
import { LinkCollector } from './link-collector.ts';

/** A file about a site: its robots.txt, or a sitemap. Plain data, which can be sent to a thread. */
export interface CrawlFile {
  readonly purpose: 'robots' | 'sitemap';
  readonly body: Uint8Array;
  /** URL of the file, after redirects. */
  readonly url: string;
  readonly contentType?: string;
  /** True if the body is only the beginning of the file, which exceeds the limit. */
  readonly isCut: boolean;
  readonly filter: CrawlFilter;
  /** Pages of a sitemap are reported with the times of their last changes. */
  readonly describes?: boolean;
}

/** Reads a file. Throws UNSUPPORTED_CONTENT over the budget, and for a sitemap that is something else. */
export function readCrawlFile(file: CrawlFile, budget: Budget): RobotsFound | SitemapFound {
  return file.purpose === 'robots' ? readRobots(file) : readSitemap(file, budget);
}

/** Name of this crawler in robots.txt. */
export const PRODUCT = 'Gleaner';
const MAX_SITEMAPS = 1000;

function readRobots({ body, url, isCut }: CrawlFile): RobotsFound {
  const text = decodeBody(body, 'utf-8');
  // A line that breaks off could forbid or allow more than it was meant to.
  const whole = isCut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
  const { rules, crawlDelayMs, sitemaps } = parseRobots(whole, PRODUCT);
  return {
    kind: 'robots',
    rules: [...rules],
    ...defined({ crawlDelayMs }),
    sitemaps: absoluteUrls(sitemaps, url),
  };
}

/** Returns the different absolute URLs with http or https. */
function absoluteUrls(urls: readonly string[], base: string): string[] {
  const absolute = urls.flatMap((url) => {
    const parsed = URL.parse(url, base);
    return parsed && /^https?:$/.test(parsed.protocol) && parsed.href.length <= MAX_URL_CHARS
      ? [parsed.href]
      : [];
  });
  return [...new Set(absolute)].slice(0, MAX_SITEMAPS);
}

const MAX_URL_CHARS = 2048;

/** The protocol's limit of one file; the characters of so many URLs of common length. */
const LINK_LIMITS = { maxLinks: 50_000, maxChars: 8 * 1024 * 1024 };
/** Bytes that are decoded at once: the text of a large sitemap takes more memory than a thread has. */
const CHUNK_BYTES = 64 * 1024;
const STEPS_PER_BYTE = 3;

function readSitemap(file: CrawlFile, budget: Budget): SitemapFound {
  const sitemap = parseSitemap(file, budget);
  const collector = new LinkCollector({ filter: file.filter, budget, ...LINK_LIMITS });
  for (const { url, modifiedMs } of sitemap.pages) {
    const details = file.describes && modifiedMs !== undefined ? { modifiedMs } : {};
    if (!collector.add(withoutFragment(url), details)) break;
  }
  const found = collector.found;
  const sitemaps = absoluteUrls(sitemap.sitemaps, file.url);
  const cutBecause = found.cutBecause ?? reasonOfEnd(file, sitemap);
  return { kind: 'sitemap', ...found, sitemaps, ...defined({ cutBecause }) };
}

function withoutFragment(href: string): URL {
  const url = new URL(href);
  if (!url.hash.startsWith('#!')) url.hash = '';
  return url;
}

/** Returns why the end of the file is missing, if it is. */
function reasonOfEnd({ body, isCut }: CrawlFile, { cutBecause, sitemaps }: Sitemap): string | undefined {
  if (isCut) return `it is larger than ${body.length / 1_048_576} MiB`;
  if (sitemaps.length > MAX_SITEMAPS) return `it lists more than ${MAX_SITEMAPS} sitemaps`;
  return cutBecause;
}

/** Beginning of an HTML page, which some sites send where they have no sitemap. */
const HTML = /^[\ufeff\s]*<(?:!doctype\s+html|html)\b/i;

function parseSitemap({ body, url, contentType, isCut }: CrawlFile, budget: Budget): Sitemap {
  const decoder = decoderFor(sniffEncoding(body, contentType ?? 'application/xml'));
  const reader = new SitemapReader(url);
  let isXml = true;
  for (let start = 0; start < body.length && !reader.isDone; start += CHUNK_BYTES) {
    const chunk = body.subarray(start, start + CHUNK_BYTES);
    budget.spend(chunk.length * STEPS_PER_BYTE);
    const text = decoder.decode(chunk, { stream: start + CHUNK_BYTES < body.length });
    if (start === 0 && HTML.test(text)) throw noSitemap('it is an HTML page');
    if (start === 0) isXml = /^[\ufeff\s]*</.test(text);
    reader.write(text);
  }
  const sitemap = reader.finish();
  const isEmpty = sitemap.pages.length + sitemap.sitemaps.length === 0;
  if (isEmpty && !isCut && sitemap.cutBecause !== undefined) throw noSitemap(sitemap.cutBecause);
  if (isEmpty && !isXml) throw noSitemap('it is a text without URLs');
  return sitemap;
}

/** Returns a decoder for a text in parts; an unknown encoding is read as UTF-8, the protocol's own. */
function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}

function noSitemap(reason: string): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The file is not a sitemap: ${reason}.`,
    suggestion: 'Check the address of the sitemap in robots.txt, or crawl without it ("sitemap": "skip").',
  });
}
