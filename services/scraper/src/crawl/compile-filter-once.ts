import type { CrawlFilter } from '@gleaner/contracts';
import { type Admission, type CompiledFilter, compileFilter } from '@gleaner/frontier';

/** Crawls whose filters are kept. */
const MAX_FILTERS = 50;
/** URLs of a crawl whose admissions are kept; longer ones are not. About a megabyte for each crawl. */
const MAX_ADMISSIONS = 2000;
const MAX_KEPT_CHARS = 200;

const recent = new Map<string, CompiledFilter>();

/** Compiles a filter, or returns the one compiled before: the pages of a crawl all come with the same. */
export function compileFilterOnce(filter: CrawlFilter): CompiledFilter {
  const text = JSON.stringify(filter);
  const compiled = recent.get(text) ?? rememberAdmissions(compileFilter(filter));
  // The most recently used one is last.
  recent.delete(text);
  recent.set(text, compiled);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size > MAX_FILTERS) recent.delete(oldest);
  return compiled;
}

/** Keeps the latest admissions: most links of a page are on other pages of its site, too. */
function rememberAdmissions({ admit, admitStart }: CompiledFilter): CompiledFilter {
  const kept = new Map<string, Admission>();
  return {
    admitStart,
    admit(url) {
      const { href } = url;
      const known = kept.get(href);
      if (known) return known;
      const admission = admit(url);
      if (kept.size >= MAX_ADMISSIONS) kept.clear();
      if (href.length <= MAX_KEPT_CHARS) kept.set(href, admission);
      return admission;
    },
  };
}
