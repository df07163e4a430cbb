import type { Cookie, ScrapeCommand, ScrapeReply, ScrapeResult } from '@gleaner/contracts';

/** One way to scrape the page of a command. Failures are returned as findings, never thrown. */
export type Scrape = (command: ScrapeCommand, context: ScrapeContext) => Promise<Finding>;

/** Reply without its price. */
export type Finding = Found | Extract<ScrapeReply, { ok: false }>;

/** A page that was scraped. */
interface Found {
  readonly ok: true;
  readonly result: Omit<ScrapeResult, 'price'>;
  /** Cookies of the browser, where later requests may use them. */
  readonly cookies?: readonly Cookie[];
}

/** Result of one attempt that succeeded. */
export interface ScrapedPage {
  readonly page: Omit<ScrapeResult, 'attempts' | 'price'>;
  readonly cookies?: readonly Cookie[];
}

/** Limits and choices for one scrape. */
export interface ScrapeContext {
  readonly signal: AbortSignal;
  readonly proxies: ProxyChoice;
}

/** Choice among a country's proxies, by their names, for requests with `proxy`. */
export interface ProxyChoice {
  /** Used as long as it is available. */
  readonly prefer?: string | undefined;
  /** Never used. */
  readonly except: readonly string[];
}
