/** Options of Crawlee that change how it isolates and disguises pages. */
export interface CrawleeOptions {
  /** True when each page gets a fingerprint, which is the crawler's default. */
  readonly useFingerprints: boolean;
  /** True when each page gets a browser context of its own; the crawler's default is one for all. */
  readonly useIncognitoPages: boolean;
}

/** An order for the crawler. */
export interface CrawleeOrder extends CrawleeOptions {
  readonly urls: readonly string[];
  readonly concurrency: number;
}

/** Data of one page. */
export interface RenderedPage {
  readonly url: string;
  readonly data: unknown;
}

/** Result of an order, with the time from the start of the first page to the end of the last. */
export interface CrawleeReport {
  readonly pages: readonly RenderedPage[];
  readonly elapsedMs: number;
}
