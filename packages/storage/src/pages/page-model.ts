import type {
  CreditsBreakdown,
  Failure,
  PageChange,
  PageKind,
  PagePurpose,
  SkipReason,
} from '@gleaner/contracts';
import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/**
 * The states of a page: `waiting ⇄ running → succeeded | failed | cancelled`. Pages of crawls also end as `visited`
 * (fetched for their links alone), `missing` (a linked page that answered 404 or 410) or `skipped` (no result).
 */
export const PAGE_STATES = [
  'waiting',
  'running',
  'succeeded',
  'visited',
  'failed',
  'missing',
  'skipped',
  'cancelled',
] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** States of pages that have a result. */
export const WITH_RESULT = ['succeeded', 'failed', 'missing'] as const satisfies PageState[];

/** State of a robots.txt or sitemap that was read, whatever came of it. Such pages are not counted. */
export const DONE = 'done';

/** State of an entry whose URL an earlier page of the job has. It never changes: its outcome is that of the other page. */
export const COPY = 'copy';

/** Place of a page in its crawl. */
export interface CrawledPage {
  /** Text under which URLs of one page are equal, unique in the crawl. */
  readonly key: string;
  /** Number of links from a start URL, the fewest that were found; -1 of robots.txt and sitemaps, which go first. */
  readonly depth: number;
  /** URL of the page or sitemap that it was found on; missing of start URLs, and of what is read for them. */
  readonly foundOn?: string;
  /** Index of the rule that holds for it. */
  readonly rule?: number;
  /** Number of `next` links in a row that led to it, and of redirects, or levels of sitemaps. */
  readonly hops?: number;
  /** A start URL redirects to it, at once or over other pages. */
  readonly isStartTarget?: boolean;
  /** It is fetched for its links alone: a start page that `include` leaves out, and that no rule matches. */
  readonly isOnlyFollowed?: boolean;
  /** Missing of pages that are fetched for themselves. */
  readonly purpose?: Exclude<PagePurpose, 'page'>;
  /** Reason why a skipped page has no result. */
  readonly skip?: SkipReason;
  /** Difference from the crawl that this one is compared with. */
  readonly change?: PageChange;
  /** Nothing leads to the page any more: it is known from the crawl that this one is compared with. */
  readonly isUnlinked?: boolean;
}

/** Stored URL of a job; `_id` consists of job and index, so it is unique. Its result is in the collection `results`. */
export interface PageDocument {
  readonly _id: string;
  readonly jobId: string;
  readonly index: number;
  /** As given in the request. */
  readonly url: string;
  readonly host: string;
  /** By which several planners divide hosts; missing of pages of earlier versions. */
  readonly hostHash?: number;
  /** Method and body, as JSON, where each URL of the job has its own. */
  readonly requestJson?: string;
  readonly state: PageState | typeof COPY | typeof DONE;
  /** Id of the page that is fetched for this copy. */
  readonly copyOf?: string;
  /** Number of copies of this page; missing if there are none. */
  readonly copies?: number;
  /** Number of dispatches; an outcome counts only if it carries the current number. */
  readonly attempt: number;
  /** Attempts that ended with an error. */
  readonly failures: number;
  /** Attempts whose worker was lost. */
  readonly losses: number;
  /** Attempts without a result in time. */
  readonly overdues: number;
  /** Sessions of a profile that it was not signed in with; missing if there are none. */
  readonly sessions?: number;
  /** Time before which a waiting page is not dispatched. */
  readonly notBefore?: Date;
  /** Time from which a running page is overdue. */
  readonly deadlineAt?: Date;
  /** Price of a succeeded page. */
  readonly price?: CreditsBreakdown;
  /** Kind of page that the result comes from; missing of pages without a result, and of those that older versions stored. */
  readonly verdict?: PageKind;
  /** Error of a failed page, or the last error of a page that waits for its next attempt. */
  readonly failure?: Failure;
  readonly endedAt?: Date;
  /** Rounds without success, as JSON of their number and traced attempts; the latest ones, oldest first. */
  readonly rounds?: readonly string[];
  /** Fields of pages of crawls. */
  readonly crawled?: CrawledPage;
  /** Batch in which the result is sent while the job runs; 0 of pages that are in none yet. Missing if none is sent. */
  readonly resultBatch?: number;
  readonly expiresAt: Date;
}

export const pageSchema = documentSchema<PageDocument>({
  _id: { type: String, required: true },
  jobId: { type: String, required: true },
  index: { type: Number, required: true },
  url: { type: String, required: true },
  host: { type: String, required: true },
  hostHash: Number,
  requestJson: String,
  state: { type: String, enum: [...PAGE_STATES, COPY, DONE], required: true },
  copyOf: String,
  copies: Number,
  attempt: { type: Number, required: true },
  failures: { type: Number, required: true },
  losses: { type: Number, required: true },
  overdues: { type: Number, required: true },
  sessions: Number,
  notBefore: Date,
  deadlineAt: Date,
  price: { type: Map, of: Number },
  verdict: String,
  failure: { type: Schema.Types.Mixed },
  endedAt: Date,
  rounds: { type: [String], default: undefined },
  crawled: {
    _id: false,
    type: {
      key: { type: String, required: true },
      depth: { type: Number, required: true },
      foundOn: String,
      rule: Number,
      hops: Number,
      isStartTarget: Boolean,
      isOnlyFollowed: Boolean,
      purpose: String,
      skip: String,
      change: String,
      isUnlinked: Boolean,
    },
    required: false,
  },
  resultBatch: Number,
  expiresAt: { type: Date, required: true },
});
// This one index serves running pages of all jobs, waiting pages of one job in order, and counts by state.
pageSchema.index({ state: 1, jobId: 1, index: 1 });
// Waiting pages of one job by host, so that hosts take turns however many pages another one has.
// Pages of crawls come in the order of their depth, which other pages do not have.
pageSchema.index(
  { jobId: 1, host: 1, 'crawled.depth': 1, index: 1 },
  { partialFilterExpression: { state: 'waiting' } },
);
pageSchema.index(
  { jobId: 1, 'crawled.key': 1 },
  { unique: true, partialFilterExpression: { 'crawled.key': { $exists: true } } },
);
// Pages of a crawl by how they have changed; only of crawls that are compared with another.
pageSchema.index(
  { jobId: 1, 'crawled.change': 1, _id: 1 },
  { partialFilterExpression: { 'crawled.change': { $exists: true } } },
);
// Pages by the kind of page that their result comes from.
pageSchema.index(
  { jobId: 1, verdict: 1, index: 1 },
  { partialFilterExpression: { verdict: { $exists: true } } },
);
// Pages by the batch in which their result is sent; only of jobs whose webhook receives results while they run.
pageSchema.index(
  { jobId: 1, resultBatch: 1, state: 1 },
  { partialFilterExpression: { resultBatch: { $exists: true } } },
);
pageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
