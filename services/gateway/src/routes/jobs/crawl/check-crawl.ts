import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  CRAWL_DEFAULTS,
  type CrawlOptions,
  type CreateJobRequest,
  type ErrorDetail,
  LIMITS,
  requestPartsOf,
  totalCredits,
  type UrlPattern,
  withDearestPages,
  worstPriceOf,
} from '@gleaner/contracts';
import { estimatePatternSize, planFormats, planSelectors } from '@gleaner/extraction';
import { findUrlPatternError } from '@gleaner/frontier';
import { summarizeDetails } from '../../../responses/summarize-details.ts';
import { selectorErrorsOf } from '../../scrape/check-extraction.ts';
import { findActionErrors, findActionSelectorErrors } from '../../scrape/find-action-errors.ts';
import { findSourceErrors } from '../../scrape/find-capture-errors.ts';
import { findCombinationErrors, findLinkSelectorErrors } from './find-crawl-errors.ts';

/** The operator's rules for crawls. */
export interface CrawlRules {
  readonly maxPagesPerCrawl: number;
  readonly mayIgnoreRobots: boolean;
}

/** A request with the option `crawl`. */
export type CrawlRequest = CreateJobRequest & { readonly crawl: CrawlOptions };

/** Returns true for the request of a crawl. */
export function isCrawl(request: CreateJobRequest): request is CrawlRequest {
  return request.crawl !== undefined;
}

/**
 * Checks what no schema can check about a crawl. Throws INVALID_SELECTOR if only selectors of rules are not valid, else
 * INVALID_REQUEST; both list every error by its path.
 */
export async function checkCrawl(
  request: CrawlRequest,
  rules: CrawlRules,
  comparisonErrors: readonly ErrorDetail[] = [],
): Promise<void> {
  const { crawl } = request;
  const details = [
    ...findLimitErrors(request, rules),
    ...(await findPatternErrors(crawl)),
    ...findCombinationErrors(crawl),
    ...(crawl.rules ?? []).flatMap(({ actions, selectors }, index) => [
      ...findActionErrors(actions, `crawl.rules.${index}.actions`),
      ...findSourceErrors(selectors, request.capture, `crawl.rules.${index}.selectors`),
    ]),
    ...comparisonErrors,
  ];
  const selectorDetails = [...(await findLinkSelectorErrors(crawl)), ...(await findFieldErrors(crawl))];
  const all = [...details, ...selectorDetails];
  if (all.length === 0) return;
  const code = details.length > 0 ? 'INVALID_REQUEST' : 'INVALID_SELECTOR';
  throw new AppError(code, { message: summarizeDetails(all), details: all });
}

/** Returns the request with the operator's limit where it leaves the limit to a larger default. */
export function withinLimits<Request extends Pick<CreateJobRequest, 'crawl'>>(
  request: Request,
  { maxPagesPerCrawl }: CrawlRules,
): Request {
  const { crawl } = request;
  if (!crawl || crawl.limit !== undefined || CRAWL_DEFAULTS.limit <= maxPagesPerCrawl) return request;
  return { ...request, crawl: { ...crawl, limit: maxPagesPerCrawl } };
}

function findLimitErrors(request: CrawlRequest, rules: CrawlRules): ErrorDetail[] {
  const { urls, crawl } = request;
  const { limit = Math.min(CRAWL_DEFAULTS.limit, rules.maxPagesPerCrawl), maxCredits, robots } = crawl;
  const pagePrice = totalCredits(worstPriceOf(withDearestPages(request, crawl)));
  const [method] = request.requests ? ['requests'] : Object.keys(requestPartsOf(request) ?? {});
  const errors: (readonly [isWrong: boolean, path: string, message: string])[] = [
    [method !== undefined, method ?? '', 'cannot be combined with crawl, which follows links with GET'],
    [
      urls.length > LIMITS.maxStartUrls,
      'urls',
      `must have at most ${LIMITS.maxStartUrls} entries with crawl, which finds further pages by itself`,
    ],
    [
      limit > rules.maxPagesPerCrawl,
      'crawl.limit',
      `must be from 1 to ${rules.maxPagesPerCrawl}, the most that the operator of this service allows`,
    ],
    [
      limit < urls.length,
      'crawl.limit',
      `must be at least ${urls.length}, the number of urls, because each of them is fetched`,
    ],
    [
      request.maxCredits !== undefined,
      'maxCredits',
      'must be left out with crawl: set crawl.maxCredits, which bounds all pages of the crawl',
    ],
    [
      maxCredits !== undefined && maxCredits < pagePrice,
      'crawl.maxCredits',
      `must be at least ${pagePrice}, because one page may cost that much with these options`,
    ],
    [
      robots === 'ignore' && !rules.mayIgnoreRobots,
      'crawl.robots',
      'must be "obey" or left out: the operator of this service does not allow ignoring robots.txt',
    ],
  ];
  return errors.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** Most bytes of the selectors and actions of all rules together, as for the selectors of a scrape. */
const MAX_SELECTOR_BYTES = 64 * 1024;

/** Largest size of the patterns of all their fields. */
const MAX_RULES_PATTERN_SIZE = 40_000;

/** Finds the errors of the fields and formats of rules; other calls get their turn between two rules, since compiling takes time. */
async function findFieldErrors({ rules = [] }: CrawlOptions): Promise<ErrorDetail[]> {
  const bytes = rules.reduce(
    (sum, { selectors, formats, actions }) => sum + JSON.stringify([selectors, formats, actions]).length,
    0,
  );
  if (bytes > MAX_SELECTOR_BYTES) {
    const message = `must have selectors and actions of at most ${MAX_SELECTOR_BYTES} bytes in all rules together`;
    return [{ path: 'crawl.rules', message }];
  }
  const details: ErrorDetail[] = [];
  let patternSize = 0;
  for (const [index, { selectors, formats, actions }] of rules.entries()) {
    if (!selectors && !formats && !actions) continue;
    const within = [
      ...selectorErrorsOf(() => {
        if (selectors) patternSize += planSelectors(selectors).patternSize;
      }),
      ...selectorErrorsOf(() => void planFormats(formats ?? [])),
      ...findActionSelectorErrors(actions),
    ];
    details.push(...within.map(({ path, message }) => ({ path: `crawl.rules.${index}.${path}`, message })));
    if (patternSize > MAX_RULES_PATTERN_SIZE) {
      const message =
        'has fields whose patterns are too large together: use the same patterns in fewer rules';
      return [...details, { path: 'crawl.rules', message }];
    }
    await nextTurn();
  }
  return details;
}

/** Largest size of one pattern, and of all together: a unit takes microseconds to compile, and memory in every scraper. */
const MAX_PATTERN_SIZE = 4000;
const MAX_TOTAL_PATTERN_SIZE = 20_000;

interface PatternAt {
  readonly path: string;
  readonly pattern: UrlPattern;
}

/** Finds the errors of the patterns of a crawl; other calls get their turn between two, since compiling takes time. */
export async function findPatternErrors(crawl: Patterns, prefix = 'crawl.'): Promise<ErrorDetail[]> {
  const patterns = patternsOf(crawl, prefix);
  const sizes = patterns.map(({ pattern }) => sizeOf(pattern));
  const tooLarge = patterns.filter((_pattern, index) => (sizes[index] ?? 0) > MAX_PATTERN_SIZE);
  if (tooLarge.length > 0) {
    const message =
      'is too large: lower the repetition counts, such as {1,500}, or use fewer classes such as \\p{L}';
    return tooLarge.map(({ path }) => ({ path, message }));
  }
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_TOTAL_PATTERN_SIZE) {
    const message =
      'has patterns that are too large together: use fewer of them, or begin and end them with ** only where it is needed';
    return [{ path: prefix.slice(0, -1), message }];
  }
  const details: ErrorDetail[] = [];
  for (const [index, { path, pattern }] of patterns.entries()) {
    const message = findUrlPatternError(pattern);
    if (message !== undefined) details.push({ path, message });
    if (sizes[index] !== 0) await nextTurn();
  }
  return details;
}

type Patterns = Pick<CrawlOptions, 'include' | 'exclude' | 'rules'>;

function patternsOf({ include = [], exclude = [], rules = [] }: Patterns, prefix: string): PatternAt[] {
  const at = (path: string) => (pattern: UrlPattern, index: number) => ({
    path: `${prefix}${path}.${index}`,
    pattern,
  });
  return [
    ...include.map(at('include')),
    ...exclude.map(at('exclude')),
    ...rules.map(({ match: pattern }, index) => ({ path: `${prefix}rules.${index}.match`, pattern })),
  ];
}

/** Returns the size of a pattern; globs without `**` are compared without a program. */
function sizeOf(pattern: UrlPattern): number {
  if (typeof pattern !== 'string') return estimatePatternSize(pattern.regex);
  return pattern.includes('**') ? pattern.length : 0;
}
