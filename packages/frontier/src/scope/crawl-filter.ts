import type { CrawlFilter, CrawlScope, DropReason, FoundLink, UrlPattern } from '@gleaner/contracts';
import { getDomain } from 'tldts';
import { urlKey } from '../urls/url-key.ts';
import { findTrap } from '../urls/url-shape.ts';
import { compileUrlPattern } from './url-pattern.ts';

/** A URL that belongs to a crawl, or the reason why it does not. */
export type Admission = (
  | { readonly link: Pick<FoundLink, 'url' | 'key' | 'rule'> }
  | { readonly droppedBecause: DropReason }
) & {
  /** Indexes of the matching patterns: `include` first, then `exclude`, then `rules`. Only of URLs in scope. */
  readonly patterns?: readonly number[];
};

/** A start URL, which always belongs to a crawl. */
export interface AdmittedStart {
  readonly link: Pick<FoundLink, 'url' | 'key' | 'rule'>;
  readonly patterns: readonly number[];
  /** True if `include` leaves it out and no rule matches it: its links are followed, and it has no result. */
  readonly isOnlyFollowed: boolean;
}

/** The rules of a crawl about URLs, compiled. */
export interface CompiledFilter {
  /** Returns what a link leads to; the URL is http or https. */
  admit(url: URL): Admission;
  admitStart(url: URL): AdmittedStart;
  /** As `admit`, with a call of `takeTurns` between patterns: many large ones take long for one long URL. */
  admitInTurns(url: URL, takeTurns: () => Promise<void>): Promise<Admission>;
  /** As `admitStart`, with a call of `takeTurns` between patterns. */
  admitStartInTurns(url: URL, takeTurns: () => Promise<void>): Promise<AdmittedStart>;
}

/** Compiles the rules of a crawl about URLs. Throws an Error for a regular expression that RE2 rejects. */
export function compileFilter(filter: CrawlFilter): CompiledFilter {
  const isInScope = createScope(filter.scope, filter.places);
  const { include = [], exclude = [], rules = [] } = filter;
  const matchers = [...include, ...exclude, ...rules].map(compileUrlPattern);
  const firstRule = include.length + exclude.length;

  /** Compares a URL with one pattern after the other. */
  function* compare(url: URL): Generator<undefined, Match> {
    const patterns: number[] = [];
    for (const [index, matches] of matchers.entries()) {
      if (matches(url)) patterns.push(index);
      yield;
    }
    const ruled = patterns.find((index) => index >= firstRule);
    return {
      patterns,
      rule: ruled === undefined ? undefined : ruled - firstRule,
      isIncluded: include.length === 0 || patterns.some((index) => index < include.length),
      isExcluded: patterns.some((index) => index >= include.length && index < firstRule),
    };
  }

  function admissionOf(url: URL, { patterns, rule, isIncluded, isExcluded }: Match): Admission {
    if (isExcluded || !isIncluded) return { droppedBecause: 'excluded', patterns };
    return findTrap(url) ? { droppedBecause: 'trap', patterns } : { link: linkTo(url, rule), patterns };
  }

  function linkTo(url: URL, rule: number | undefined) {
    return { url: url.href, key: urlKey(url, filter.ignoreQuery), ...(rule !== undefined && { rule }) };
  }

  function startOf(url: URL, { patterns, rule, isIncluded }: Match): AdmittedStart {
    return { link: linkTo(url, rule), patterns, isOnlyFollowed: !isIncluded && rule === undefined };
  }

  const outOfScope = { droppedBecause: 'outOfScope' } as const;
  return {
    admit(url) {
      return isInScope(url) ? admissionOf(url, resultOf(compare(url))) : outOfScope;
    },
    async admitInTurns(url, takeTurns) {
      return isInScope(url) ? admissionOf(url, await resultInTurns(compare(url), takeTurns)) : outOfScope;
    },
    admitStart: (url) => startOf(url, resultOf(compare(url))),
    async admitStartInTurns(url, takeTurns) {
      return startOf(url, await resultInTurns(compare(url), takeTurns));
    },
  };
}

/** Patterns that a URL matches. */
interface Match {
  readonly patterns: readonly number[];
  /** Index of the first rule. */
  readonly rule: number | undefined;
  readonly isIncluded: boolean;
  readonly isExcluded: boolean;
}

function resultOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function resultInTurns<Result>(
  steps: Generator<undefined, Result>,
  takeTurns: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await takeTurns();
  }
}

/** Returns the patterns of a filter by their indexes, as a person finds them: `crawl.include.0 "/books/*"`. */
export function namePatterns({ include = [], exclude = [], rules = [] }: CrawlFilter): string[] {
  const named =
    (path: string, suffix = '') =>
    (pattern: UrlPattern, index: number) => {
      const text = typeof pattern === 'string' ? pattern : pattern.regex;
      return `crawl.${path}.${index}${suffix} ${JSON.stringify(text)}`;
    };
  return [
    ...include.map(named('include')),
    ...exclude.map(named('exclude')),
    ...rules.map(named('rules', '.match')),
  ];
}

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
