import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CrawlOptions,
  type CrawlRule,
  type ErrorDetail,
  hasFinished,
  type UrlPattern,
} from '@gleaner/contracts';
import { findSelectorError } from '@gleaner/extraction';
import type { Stores } from '@gleaner/storage';
import { findFormatErrors } from '../../scrape/check-extraction.ts';
import { crawlOptionsOf } from './crawl-options-of.ts';

/** Finds crawl options without effect in combination, and suggests what to write instead. */
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

/** Finds patterns in both `include` and `exclude`: they include nothing, because `exclude` wins. */
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
  const ofFormats = findFormatErrors({ formats }).map(({ path, message }) => ({
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
  return [...ofFormats, ...without];
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

/** Finds why a job cannot be compared with the crawl that it names, and says what to write instead. */
export async function findSinceErrors(
  { since, changes, ignoreQuery = false }: CrawlOptions,
  accountId: string,
  jobs: Pick<Stores['jobs'], 'findJob'>,
): Promise<ErrorDetail[]> {
  const errors: ErrorDetail[] = [];
  if (changes !== undefined) {
    errors.push({
      path: 'crawl.changes',
      message: 'is for schedules, which compare each run with the run before: name the job in since',
    });
  }
  const path = 'crawl.since';
  const job = since === undefined ? undefined : await jobs.findJob(accountId, since);
  if (job === undefined) return errors;
  const before = job ? crawlOptionsOf(job) : undefined;
  const message = !job
    ? 'is not the id of a job of this account; GET /v1/jobs lists them. Jobs are deleted some time after they have finished'
    : !before
      ? 'is a job without crawl: name one with crawl'
      : !hasFinished(job)
        ? 'has not finished yet: wait until it has'
        : JSON.stringify(before.ignoreQuery ?? false) !== JSON.stringify(ignoreQuery)
          ? `has another ignoreQuery, ${JSON.stringify(before.ignoreQuery ?? false)}, by which pages are told apart: use the same`
          : undefined;
  return message === undefined ? errors : [...errors, { path, message }];
}

/** Finds the option of a crawl that has no meaning on a schedule. */
export function findScheduleComparisonErrors({ since }: CrawlOptions): ErrorDetail[] {
  const message = 'is for jobs; a schedule compares each run with the run before it with "changes": true';
  return since === undefined ? [] : [{ path: 'crawl.since', message }];
}

/** Finds the errors of the CSS selectors by which rules choose links; other calls get their turn between two rules. */
export async function findLinkSelectorErrors({ rules = [] }: CrawlOptions): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const [index, { follow, next }] of rules.entries()) {
    const selectors: [path: string, selector: string][] =
      typeof follow === 'object' ? follow.map((selector, at) => [`follow.${at}`, selector]) : [];
    if (next !== undefined) selectors.push(['next', next]);
    for (const [path, selector] of selectors) {
      const message = findSelectorError(selector);
      if (message !== undefined) details.push({ path: `crawl.rules.${index}.${path}`, message });
    }
    await nextTurn();
  }
  return details;
}
