import type {
  Cookie,
  CrawlFindings,
  PackedPage,
  PageCrawl,
  ScrapeCommand,
  ScrapeReply,
  ScrapeResult,
} from '@gleaner/contracts';
import type { NoPageOutcome } from '../classify/no-page.ts';

/** One scrape, or one page of a job. */
export interface ScrapeTask extends ScrapeCommand {
  /** Only for pages of a crawl. */
  readonly crawl?: PageCrawl;
  /** True for a page of a job: its text is compared with the other pages. */
  readonly isOfJob?: boolean;
  /** Number of the attempt at a page of a job. */
  readonly attempt?: number;
  /** Milliseconds between two requests to the host. */
  readonly pauseMs?: number;
  /** Called when the site has answered with the page, which is still to be read. */
  readonly onFetched?: () => void;
}

/** Result of a scrape, and what a crawl learned from the page. */
export interface ScrapedResult extends ScrapeResult {
  readonly crawl?: CrawlFindings;
  /** Only of pages of jobs: hash of what a page with little text shows. */
  readonly thinHash?: string;
  /** Price of the model, until it is part of the whole price. */
  readonly llmCredits?: number;
}

/** Reply to a task: the page, or the error. */
export type TaskReply = { readonly ok: true; readonly result: ScrapedResult } | Failed;

/** One way to scrape the page of a task. Failures are returned as findings, never thrown. */
export type Scrape = (task: ScrapeTask, context: ScrapeContext) => Promise<Finding>;

/** Reply without its price. */
export type Finding = Found | Failed;

/** A page that was scraped. */
interface Found {
  readonly ok: true;
  readonly result: Omit<ScrapedResult, 'price'>;
  /** Cookies of the browser, where later requests may use them. */
  readonly cookies?: readonly Cookie[];
}

/**
 * An error. For a crawl it may only mean that the URL is not a page; without required fields, a page of a job comes
 * with it.
 */
type Failed = Extract<ScrapeReply, { ok: false }> & {
  readonly noPage?: NoPageOutcome;
  readonly snapshot?: PackedPage;
};

/** Result of one attempt that succeeded. */
export interface ScrapedPage {
  readonly page: Omit<ScrapedResult, 'attempts' | 'price'>;
  readonly cookies?: readonly Cookie[];
}

/** Limits and choices for one scrape. */
export interface ScrapeContext {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 at which the signal aborts. */
  readonly deadlineMs: number;
  readonly proxies: ProxyChoice;
}

/** Choice among a country's proxies, by their names, for requests with `proxy`. */
export interface ProxyChoice {
  /** Used as long as it is available. */
  readonly prefer?: string | undefined;
  /** Never used. */
  readonly except: readonly string[];
}
