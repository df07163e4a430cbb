import type { CrawlFilter, DropReason, FoundLink } from '@gleaner/contracts';
import { urlKey } from '../urls/url-key.ts';
import { findTrap } from '../urls/url-shape.ts';
import { createScope } from './crawl-scope.ts';
import { compileUrlPattern, type UrlMatcher } from './url-pattern.ts';

/** A URL that belongs to a crawl, or the reason why it does not. */
export type Admission =
  | { readonly link: Pick<FoundLink, 'url' | 'key' | 'rule'> }
  | { readonly droppedBecause: DropReason };

/** The rules of a crawl about URLs, compiled. */
export interface CompiledFilter {
  /** Returns what a link leads to; the URL is http or https. */
  admit(url: URL): Admission;
  /** Returns a start URL, which always belongs to the crawl. */
  admitStart(url: URL): Pick<FoundLink, 'url' | 'key' | 'rule'>;
}

/** Compiles the rules of a crawl about URLs. Throws an Error for a regular expression that RE2 rejects. */
export function compileFilter(filter: CrawlFilter): CompiledFilter {
  const isInScope = createScope(filter.scope, filter.places);
  const include = filter.include?.map(compileUrlPattern) ?? [];
  const exclude = filter.exclude?.map(compileUrlPattern) ?? [];
  const rules = filter.rules?.map(compileUrlPattern) ?? [];

  function linkTo(url: URL) {
    const rule = rules.findIndex((matches) => matches(url));
    return { url: url.href, key: urlKey(url, filter.ignoreQuery), ...(rule >= 0 && { rule }) };
  }

  return {
    admit(url) {
      if (!isInScope(url)) return { droppedBecause: 'outOfScope' };
      const isExcluded = matchesAny(exclude, url) || (include.length > 0 && !matchesAny(include, url));
      if (isExcluded) return { droppedBecause: 'excluded' };
      return findTrap(url) ? { droppedBecause: 'trap' } : { link: linkTo(url) };
    },
    admitStart: linkTo,
  };
}

function matchesAny(matchers: readonly UrlMatcher[], url: URL): boolean {
  return matchers.some((matches) => matches(url));
}
