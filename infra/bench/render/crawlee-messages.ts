/** An order for the crawler. */
export interface CrawleeOrder {
  readonly urls: readonly string[];
  readonly concurrency: number;
  /** True when each page gets a fingerprint, which is the crawler's default. */
  readonly useFingerprints: boolean;
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
