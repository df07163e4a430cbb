/** What the crawler is asked to do. */
export interface CrawleeOrder {
  readonly urls: readonly string[];
  readonly concurrency: number;
  /** Whether each page gets a fingerprint, as it does unless told otherwise. */
  readonly useFingerprints: boolean;
}

/** What was taken from one page. */
export interface RenderedPage {
  readonly url: string;
  readonly data: unknown;
}

/** What came of an order, and how long it took from the first page's start to the last page's end. */
export interface CrawleeReport {
  readonly pages: readonly RenderedPage[];
  readonly elapsedMs: number;
}
