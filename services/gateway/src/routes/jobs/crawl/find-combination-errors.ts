import type { CrawlOptions, CrawlRule, ErrorDetail, UrlPattern } from '@gleaner/contracts';
import { findRepeatedFormats } from '../../scrape/check-extraction.ts';

/** Finds options of a crawl that have no effect together, and says what to write instead. */
export function findCombinationErrors(crawl: CrawlOptions): ErrorDetail[] {
  return [
    ...findOptionErrors(crawl),
    ...findRepeatedPatterns(crawl),
    ...(crawl.rules ?? []).flatMap((rule, index) =>
      findRuleErrors(rule, crawl).map(({ path, message }) => ({
        path: `crawl.rules.${index}${path}`,
        message,
      })),
    ),
    ...findUnreachableRules(crawl),
  ];
}

type Check = readonly [isWrong: boolean, path: string, message: string];

function errorsOf(checks: readonly Check[]): ErrorDetail[] {
  return checks.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

function findOptionErrors({ scope, maxHosts, maxDepth, sitemap, delay = 0, concurrency }: CrawlOptions) {
  return errorsOf([
    [
      maxHosts !== undefined && scope !== 'domain' && scope !== 'any',
      'crawl.maxHosts',
      'needs "scope": "domain" or "any"; with any other scope, the hosts are those of urls',
    ],
    [
      maxDepth === 0 && sitemap === 'only',
      'crawl.maxDepth',
      'must be at least 1 with "sitemap": "only", because pages of a sitemap have depth 1',
    ],
    [
      delay > 0 && concurrency !== undefined && concurrency > 1,
      'crawl.concurrency',
      'must be 1 or left out with delay, which has one page of a host in flight at a time',
    ],
  ]);
}

/** Finds patterns of `include` that `exclude` repeats, so that they include nothing. */
function findRepeatedPatterns({ include = [], exclude = [] }: CrawlOptions): ErrorDetail[] {
  const excluded = exclude.map(textOf);
  return include.flatMap((pattern, index) => {
    const at = excluded.indexOf(textOf(pattern));
    const message = `includes nothing: it is also crawl.exclude.${at}, which wins; leave one of them out`;
    return at < 0 ? [] : [{ path: `crawl.include.${index}`, message }];
  });
}

function findRuleErrors(rule: CrawlRule, { sitemap }: CrawlOptions): ErrorDetail[] {
  const { selectors, formats, follow = true, next, keep = true } = rule;
  const isFollowing = follow !== false || next !== undefined;
  const repeated = findRepeatedFormats({ formats }).map(({ path, message }) => ({
    path: `.${path}`,
    message,
  }));
  const without = errorsOf([
    [
      !keep && selectors !== undefined,
      '.selectors',
      'has no effect with "keep": false: leave out one of them',
    ],
    [!keep && formats !== undefined, '.formats', 'has no effect with "keep": false: leave out one of them'],
    [
      !keep && !isFollowing,
      '.keep',
      'would fetch pages for nothing: they have no result, and their links are not followed; to leave them out, move match to crawl.exclude',
    ],
    [
      sitemap === 'only' && (typeof rule.follow === 'object' || rule.follow === true),
      '.follow',
      'has no effect with "sitemap": "only", which follows no links: leave it out, or use "include"',
    ],
    [
      sitemap === 'only' && next !== undefined,
      '.next',
      'has no effect with "sitemap": "only", which follows no links: leave it out, or use "include"',
    ],
  ]);
  return [...repeated, ...without];
}

/** Finds rules that never hold, because an earlier one fits the same URLs. */
function findUnreachableRules({ rules = [] }: CrawlOptions): ErrorDetail[] {
  const matches = rules.map(({ match }) => textOf(match));
  return matches.flatMap((match, index) => {
    const earlier = matches.findIndex((other, at) => at < index && (other === match || other === EVERYTHING));
    const message = `never holds: crawl.rules.${earlier}.match, which comes first, fits the same URLs`;
    return earlier < 0 ? [] : [{ path: `crawl.rules.${index}.match`, message }];
  });
}

/** The glob that fits every URL. */
const EVERYTHING = '**';

function textOf(pattern: UrlPattern): string {
  return typeof pattern === 'string' ? pattern : `regex ${pattern.regex}`;
}
