import type { CrawlFilter } from '@gleaner/contracts';
import { type Admission, type CompiledFilter, compileFilter } from '@gleaner/frontier';
import QuickLRU from 'quick-lru';

/** Crawls whose filters are kept at least. */
const MAX_FILTERS = 25;
/** URLs of a crawl whose admissions are kept at least; longer ones are not. At most a megabyte for each crawl. */
const MAX_ADMISSIONS = 1000;
const MAX_KEPT_CHARS = 200;

/** The part of a filter for the links of pages. */
type LinkFilter = Pick<CompiledFilter, 'admit'>;

const recent = new QuickLRU<string, LinkFilter>({ maxSize: MAX_FILTERS });

/** Compiles a filter, or returns the one compiled before: the pages of a crawl all come with the same. */
export function compileFilterOnce(filter: CrawlFilter): LinkFilter {
  const text = JSON.stringify(filter);
  const compiled = recent.get(text) ?? rememberAdmissions(compileFilter(filter));
  recent.set(text, compiled);
  return compiled;
}

/** Keeps the latest admissions: most links of a page are on other pages of its site, too. */
function rememberAdmissions({ admit }: LinkFilter): LinkFilter {
  const kept = new QuickLRU<string, Admission>({ maxSize: MAX_ADMISSIONS });
  return {
    admit(url) {
      const { href } = url;
      const known = kept.get(href);
      if (known) return known;
      const admission = admit(url);
      if (href.length <= MAX_KEPT_CHARS) kept.set(href, admission);
      return admission;
    },
  };
}
