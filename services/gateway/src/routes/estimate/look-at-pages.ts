import {
  AppError,
  CRAWL_DEFAULTS,
  type CreateJobRequest,
  defined,
  ERROR_TABLE,
  type Estimate,
  isPlainGet,
  type MapRequest,
  type MapResult,
  type MapSource,
  partsOf,
  type ScrapeOptions,
  totalCredits,
  withDearestPages,
  worstCreditsOf,
  worstPriceOf,
} from '@gleaner/contracts';
import { quoteUrl } from '@gleaner/egress';
import type { CheckedCall } from '../handler.ts';
import { askMapper, requireMapper } from '../map/map-site.ts';
import type { WorkerDeps } from '../scrape/ask-worker.ts';
import { firstCreditsOf } from './estimate-cost.ts';

/** Pages of a request that are looked at. */
const MAX_PAGES = 5;
/** URLs that are counted below each start page of a crawl. */
const MAX_URLS = 1000;
/** Time for all of them. */
const LOOK_MS = 20_000;

type LookCall = Pick<CheckedCall<'estimate'>, 'id' | 'caller' | 'signal'>;

/**
 * Adds the findings from a few pages of the request, and from the site's robots.txt and sitemaps, to an estimate. Pages
 * are fetched like those of a map: plainly, as robots.txt allows, and without the parts of the request meant for its
 * own site alone.
 */
export async function lookAtPages(
  request: CreateJobRequest,
  estimate: Estimate,
  call: LookCall,
  deps: WorkerDeps,
): Promise<Estimate> {
  await requireMapper(deps);
  const urls = sampleOf(request);
  const looks = await Promise.all(
    urls.map((url, index) => look(mapRequestOf(url, request), { ...call, id: `${call.id}.${index}` }, deps)),
  );
  const pages = looks.flatMap(({ sources }) => sources.findLast(({ kind }) => kind === 'page') ?? []);
  const { crawl, urls: _urls, ...options } = withDearestPages(request, request.crawl);
  const found = request.crawl && new Set(looks.flatMap((each) => each.urls.map(({ url }) => url))).size;
  const expected = expectedOf(pages, { ...estimate, options, count: found ?? estimate.pages.atMost });
  return {
    ...estimate,
    credits: { ...estimate.credits, ...defined({ expected }) },
    problems: [...estimate.problems, ...pages.flatMap((page) => problemOf(page, request))],
    look: {
      sources: looks.flatMap(({ sources }) => sources),
      ...defined({ urls: found }),
      complete: looks.every(({ complete }) => complete),
    },
  };
}

/** Returns a sample of the URLs fetched with GET, from all over the list. */
function sampleOf(request: CreateJobRequest): readonly string[] {
  const urls = [...new Set(request.urls.filter((_, index) => isPlainGet(partsOf(request, index))))];
  const step = Math.max(1, (urls.length - 1) / (MAX_PAGES - 1));
  return Array.from(
    { length: Math.min(MAX_PAGES, urls.length) },
    (_, at) => urls[Math.round(at * step)] ?? '',
  );
}

/** Options of a crawl that a map has, too. */
const SHARED = ['scope', 'include', 'exclude', 'ignoreQuery', 'sitemap', 'robots'] as const;

function mapRequestOf(url: string, { crawl }: CreateJobRequest): MapRequest {
  const request = { url, limit: MAX_URLS, depth: 1 as const };
  if (!crawl) return { ...request, sitemap: 'skip' };
  const { limit = CRAWL_DEFAULTS.limit, sitemap } = crawl;
  const given = SHARED.flatMap((name) => (crawl[name] === undefined ? [] : [[name, crawl[name]]]));
  const shared: Pick<MapRequest, (typeof SHARED)[number]> = Object.fromEntries(given);
  const depth = sitemap === 'only' ? 0 : 1;
  return { ...request, depth, limit: Math.min(limit, MAX_URLS), ...shared };
}

/** Has a scraper read one page and its files; a page that cannot be read is one of the sources. */
async function look(
  request: MapRequest,
  call: LookCall,
  deps: WorkerDeps,
): Promise<Pick<MapResult, 'urls' | 'sources' | 'complete'>> {
  try {
    const { mapJson } = await askMapper(request, { ...call, deadlineMs: Date.now() + LOOK_MS }, deps);
    return JSON.parse(mapJson) as MapResult;
  } catch (error) {
    if (!(error instanceof AppError) || (error.source !== 'target' && error.code !== 'TIMEOUT')) throw error;
    const { code, message } = error;
    const source = { kind: 'page' as const, url: request.url, found: 0, error: { code, message } };
    return { urls: [{ url: request.url }], sources: [source], complete: false };
  }
}

/** Returns the expected credits of this many pages, judged by the sample; undefined if nothing is known of it. */
function expectedOf(
  pages: readonly MapSource[],
  {
    options,
    count,
    credits: { worst },
    pages: { atMost },
  }: Pick<Estimate, 'credits' | 'pages'> & { readonly options: ScrapeOptions; readonly count: number },
): number | undefined {
  if (pages.length === 0) return undefined;
  const sum = pages.reduce((total, page) => total + creditsOf(page, options), 0);
  return Math.min(worst, Math.round((sum / pages.length) * Math.min(count, atMost)));
}

/** Returns the expected credits of a page, judged by a plain fetch. */
function creditsOf({ verdict, error }: MapSource, options: ScrapeOptions): number {
  if (error?.code === 'NOT_FOUND') return 0;
  if (error?.code === 'BLOCKED') return options.antiBot ? worstCreditsOf(options) : 0;
  const isRendered = verdict === 'shell' && options.render === 'auto';
  return isRendered ? totalCredits(worstPriceOf({ ...options, antiBot: false })) : firstCreditsOf(options);
}

/** Returns the error of a page that the request would meet as well. */
function problemOf({ url, error }: MapSource, { antiBot, crawl }: CreateJobRequest): Estimate['problems'] {
  if (!error || (error.code === 'BLOCKED' && antiBot) || (error.code === 'ROBOTS_DENIED' && !crawl))
    return [];
  const { code, message } = error;
  const withUrl = message.includes(quoteUrl(url)) ? message : `${url}: ${message}`;
  return [{ code, message: withUrl, suggestion: ERROR_TABLE[code].suggestion }];
}
