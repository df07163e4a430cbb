import { createHash } from 'node:crypto';
import type { CrawlOptions, ScrapeOptions } from '@gleaner/contracts';

/**
 * Hashes the options of a crawl that decide what the result of a page contains, and which links of it are followed. Where
 * they are equal, hashes of contents can be compared, and a page that its site says is unmodified need not be read.
 */
export function hashTerms(
  { timeout: _timeout, snapshot: _snapshot, ...options }: ScrapeOptions,
  crawl: CrawlOptions,
): string {
  const { scope, include, exclude, rules, ignoreQuery, robots, sitemap } = crawl;
  const deciding = [options, scope, include, exclude, rules, ignoreQuery, robots, sitemap];
  return createHash('sha256').update(JSON.stringify(deciding, inOrder)).digest('base64url').slice(0, 22);
}

/** Puts the members of every object in one order. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
