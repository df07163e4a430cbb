import type { CrawlFilter } from '@gleaner/contracts';
import { type CompiledFilter, compileFilter } from '@gleaner/frontier';

/** Crawls whose filters are kept. */
const MAX_FILTERS = 50;

const recent = new Map<string, CompiledFilter>();

/** Compiles a filter, or returns the one compiled before: the pages of a crawl all come with the same. */
export function compileFilterOnce(filter: CrawlFilter): CompiledFilter {
  const text = JSON.stringify(filter);
  const compiled = recent.get(text) ?? compileFilter(filter);
  // The most recently used one is last.
  recent.delete(text);
  recent.set(text, compiled);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size > MAX_FILTERS) recent.delete(oldest);
  return compiled;
}
