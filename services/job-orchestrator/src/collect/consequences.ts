import type { CrawlWarning, DropReason } from '@gleaner/contracts';
import type {
  CacheKeeper,
  NewCrawlFile,
  NewFingerprint,
  NewPageSnapshot,
  NewResult,
  PageEnd,
  Stores,
} from '@gleaner/storage';
import type { KnownLinks } from '../compare/compare-page.ts';
import type { PlacedLink } from '../crawl/insert-links.ts';
import type { RunningCrawlPage } from './collected-outcome.ts';

/** Consequences of an outcome, to be stored. */
export interface Consequences {
  readonly end: PageEnd;
  readonly result?: NewResult | undefined;
  readonly snapshot?: NewPageSnapshot | undefined;
  /** The page, to be kept for `maxAge`. */
  readonly reusable?: Parameters<CacheKeeper['keep']>[0][number] | undefined;
  readonly warning?: CrawlWarning | undefined;
  /** Place that the crawl comes to. */
  readonly place?: string;
  /** Rules of an origin, for all crawls. */
  readonly robots?: Pick<Parameters<Stores['robots']['put']>[0], 'origin' | 'robots'>;
  readonly robotsLifetimeMs?: number;
  readonly sitemaps?: readonly NewCrawlFile[];
  /** Patterns of the crawl that some URL matches. */
  readonly patterns?: readonly number[] | undefined;
  /** Page read by the attempt; it may be part of a crawler trap. */
  readonly read?: { readonly page: RunningCrawlPage; readonly textHash: string };
  readonly links?: readonly PlacedLink[];
  readonly dropped?: Partial<Record<DropReason, number>>;
  /** Returns the fingerprint of the page, once the pages that it links to are known. */
  readonly fingerprint?: (known: KnownLinks) => NewFingerprint;
}

/** Consequences of the outcome of one attempt. */
export interface Decision extends Consequences {
  readonly jobId: string;
}
