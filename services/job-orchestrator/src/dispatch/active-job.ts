import {
  type CrawlFilter,
  defined,
  type Engine,
  engineFor,
  mayRender,
  mayRepeat,
  profileOf,
  type RequestParts,
  type ScrapeOptions,
  timeoutMsOf,
  withDearestPages,
} from '@gleaner/contracts';
import type { CrawledPage, StartBounds, StoredJob, StoredPage } from '@gleaner/storage';
import { type CrawlTerms, filterOf, isStartUrl } from '../crawl/crawl-terms.ts';
import type { RobotsGate } from '../crawl/robots-gate.ts';
import { type JobTerms, termsOf } from '../finish/charge-pages.ts';
import type { Candidate, CandidateJob } from './candidate.ts';

/** A page that may be dispatched, with the fields of its message. */
export interface WaitingPage extends Candidate {
  readonly url: string;
  /** Method and body of its own. */
  readonly request?: RequestParts;
  readonly attempt: number;
  /** Attempts that failed. */
  readonly failures: number;
  /** Only of pages of crawls. */
  readonly crawled?: CrawledPage;
}

/** Parts of a job that only crawls have. */
export interface ActiveCrawl {
  readonly terms: CrawlTerms;
  readonly createdAtMs: number;
  filter: CrawlFilter;
  /** Reading its pages has added a robots.txt to them. */
  hasRequested: boolean;
}

/** A job whose pages are being dispatched. */
export interface ActiveJob extends CandidateJob<WaitingPage> {
  readonly terms: JobTerms;
  readonly options: ScrapeOptions;
  readonly engine: Engine;
  /** A browser may get its pages: at once, or after a plain fetch. */
  readonly mayRender: boolean;
  readonly timeoutMs: number;
  readonly totalUrls: number;
  /** Origins that credentials of the options go to; undefined if they go to every start URL. */
  readonly credentialOrigins?: ReadonlySet<string>;
  /** The job whose kept pages are extracted from, instead of fetching. */
  readonly extractOf?: string;
  readonly crawl?: ActiveCrawl;
  /** Bounds of the pages that it starts: of crawls, and of lists with `maxCredits`. */
  readonly bounds?: StartBounds;
  /** Time before which no page is read: its bounds may be reached. */
  pausedUntilMs: number;
  /** URLs of the pages that show the fields of its schedule; the first pages where none are known. Missing if none are kept. */
  readonly evidenceUrls?: readonly string[];
  /** The span that its pages belong to. */
  readonly traceparent?: string;
  isPending: boolean;
  waiting: readonly WaitingPage[];
  /** Host after which the pages of a large job are read on. */
  afterHost: string;
  /** Number of pages ahead of a large job that could be sent when they were last counted, less the lanes sent since. */
  readyAhead: number;
  hasSuspects: boolean;
  lanes: number;
  /** The database may have waiting pages that are not in `waiting`. */
  hasMore: boolean;
}

/** Returns a stored job as one whose pages are being dispatched. */
export function activate(job: StoredJob, gate: RobotsGate, evidenceUrls: readonly string[] = []): ActiveJob {
  const options: ScrapeOptions = JSON.parse(job.optionsJson);
  const terms = termsOf(job);
  const dearest = withDearestPages(options, terms.crawl);
  const profile = profileOf(options);
  const hasFields = options.selectors ?? terms.crawl?.rules?.some(({ selectors }) => selectors);
  return {
    id: job.id,
    accountId: job.accountId,
    ...defined({ traceparent: job.traceparent }),
    terms,
    ...(terms.crawl && crawlPartsOf(terms, terms.crawl, job, gate)),
    ...(terms.hasBudget && { bounds: budgetOf(terms) }),
    ...(job.scheduleId !== undefined && hasFields && { evidenceUrls }),
    options,
    ...(profile && job.extractOf === undefined && { profileId: profile.id }),
    // A page that climbs the ladder may go on in another engine, one to extract from brings megabytes, and of those that must
    // not be sent twice a lost worker leaves none but the one that it had.
    hasLanes:
      !profile &&
      !terms.hasAntiBot &&
      dearest.render !== 'auto' &&
      job.extractOf === undefined &&
      mayRepeat(options),
    engine: job.extractOf === undefined ? engineFor(options) : 'http',
    mayRender: mayRender(dearest),
    ...defined({ extractOf: job.extractOf }),
    ...(job.credentialOrigins && { credentialOrigins: new Set(job.credentialOrigins) }),
    timeoutMs: timeoutMsOf(dearest),
    totalUrls: job.totalUrls,
    isPending: job.status === 'pending',
    pausedUntilMs: 0,
    waiting: [],
    afterHost: '',
    readyAhead: 0,
    hasSuspects: false,
    lanes: 0,
    hasMore: true,
  };
}

function crawlPartsOf(
  { creditsPerPage }: JobTerms,
  terms: CrawlTerms,
  { crawl: state, createdAt }: StoredJob,
  gate: RobotsGate,
): Pick<ActiveJob, 'crawl' | 'bounds' | 'politeness'> {
  const { limit, maxCredits, maxDuration, delay, concurrency, robots } = terms;
  const bounds = { limit, maxCredits, maxDurationMs: maxDuration, creditsPerPage };
  const delayMsOf = (host: string) => Math.max(delay, robots === 'obey' ? gate.delayMsOf(host) : 0);
  return {
    bounds,
    crawl: {
      terms,
      createdAtMs: createdAt.getTime(),
      filter: filterOf(terms, state?.places ?? []),
      hasRequested: false,
    },
    politeness: { maxPagesPerHost: concurrency, delayMsOf },
  };
}

function budgetOf({ options: { maxCredits }, creditsPerPage }: JobTerms): StartBounds {
  return { limit: Number.POSITIVE_INFINITY, maxCredits, creditsPerPage };
}

/** Returns a stored page as one that may be dispatched. */
export function toWaiting(page: StoredPage): WaitingPage {
  const { id, host, url, requestJson, attempt, failures, notBefore, losses, crawled } = page;
  const notBeforeMs = notBefore?.getTime() ?? 0;
  const likeness = likenessOf(page);
  return {
    id,
    host,
    url,
    attempt,
    failures,
    notBeforeMs,
    losses,
    ...defined({ likeness }),
    ...(requestJson !== undefined && { request: JSON.parse(requestJson) }),
    ...defined({ crawled }),
  };
}

/** Returns the lane key of a page; undefined if it must be sent alone. */
function likenessOf({ url, crawled, requestJson }: StoredPage): string | undefined {
  if (crawled?.purpose || requestJson !== undefined) return undefined;
  const { origin } = new URL(url);
  if (!crawled) return origin;
  const { rule = '', depth, foundOn } = crawled;
  const isLinked = depth === 0 || foundOn !== undefined;
  return `${origin} ${rule} ${isStartUrl(crawled)} ${isLinked} ${depth}`;
}
