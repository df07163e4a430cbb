import type { Cookie, ScrapeCommand, ScrapeReply, ScrapeResult } from '@gleaner/contracts';

/** Takes from a page what a command asks for, in one way; failures come back as findings, never thrown. */
export type Scrape = (command: ScrapeCommand, context: ScrapeContext) => Promise<Finding>;

/** A reply whose price is still to be set. */
export type Finding =
  | { readonly ok: true; readonly result: Omit<ScrapeResult, 'price'> }
  | Extract<ScrapeReply, { ok: false }>;

/** What a scrape works within. */
export interface ScrapeContext {
  readonly signal: AbortSignal;
  readonly proxies: ProxyChoice;
  /** Told, where the page was found, which cookies the site has set. */
  readonly keepCookies: (cookies: readonly Cookie[]) => void;
}

/** Which of a country's proxies to go out through, by their names, for requests that want one. */
export interface ProxyChoice {
  /** The one to keep to, as long as it works. */
  readonly prefer?: string | undefined;
  /** None of these. */
  readonly except: readonly string[];
}
