import type {
  CrawlChanges,
  CrawlWarning,
  DropReason,
  Failure,
  JobEventType,
  JobState,
  SkipReason,
  StopReason,
  VerdictCounts,
  Warning,
} from '@gleaner/contracts';
import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** Event that the broker has not confirmed yet. */
export interface UnsentEvent {
  readonly id: string;
  readonly type: JobEventType;
  readonly at: Date;
  /** The batch of results that a `job.pages` is about. */
  readonly batch?: number;
}

/** The batches in which results of a job are sent while it runs. */
export interface ResultBatches {
  /** Number of batches so far; they are counted from 1. */
  readonly count: number;
  /** Indexes of the pages in the last batch. The pages of earlier ones are marked with its number. */
  readonly last: number[];
  /** Time at which the next batch is made; missing once the job has finished. */
  readonly dueAt?: Date;
}

/** Idempotency key of a create, which makes a repeated request return the first answer. */
export interface Idempotency {
  readonly key: string;
  /** SHA-256 of the request. */
  readonly requestHash: string;
}

/** Page counts of a job: started pages, never too low, and pages with a counted charge. */
export interface StartedPages {
  readonly started: number;
  readonly fetched: number;
}

/** State of a crawl. Counters are approximate while it runs; `started` is never less than what it counts. */
export interface CrawlState extends StartedPages {
  /** Places of the start URLs, and of where they redirect to. */
  readonly places: string[];
  /** Hosts of known pages. */
  readonly hosts: string[];
  /** Index of the next new page; some are left out. */
  readonly nextIndex: number;
  /** Pages that were dispatched and have a result or may get one: the crawl's limit holds for them. */
  readonly started: number;
  /** Pages with a result, failed ones and visited ones included. */
  readonly fetched: number;
  /** Pages that were fetched for their links alone; crawls of earlier versions do not count them. */
  readonly visited?: number;
  readonly missing: number;
  readonly depth: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  readonly dropped: Readonly<Record<DropReason, number>>;
  readonly warnings: CrawlWarning[];
  /** The limit after which nothing more is dispatched. */
  readonly stoppedBy?: StopReason;
  /** Patterns of URLs of which no further links are followed. */
  readonly closedPatterns?: string[];
  /** Indexes of the patterns of its filter that some URL has matched; crawls of earlier versions do not have them. */
  readonly matchedPatterns?: number[];
  /** Earlier crawls to compare with, latest first. The content of a page comes from the latest one that has it. */
  readonly since?: string[];
  /** Only of crawls that are compared. */
  readonly changes?: CrawlChanges;
  /** True once the pages that nothing leads to any more are among its pages. */
  readonly isSwept?: boolean;
  /** Last page of an earlier crawl that the sweep for such pages has come to. */
  readonly sweptTo?: string;
}

/** Comparison of a run with the run before; the changes themselves are in the collection `changes`. */
export interface Comparison {
  readonly since: string;
  /** Numbers of records. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Number of stored changes, and of omitted ones. */
  readonly stored: number;
  readonly omitted: number;
  /** Number of pages that are of another kind than before, such as a login; missing of runs of older versions. */
  readonly notCompared?: number;
  /** Field by which the records of each list were matched, as JSON. */
  readonly keysJson: string;
}

/** Messages of the rules of a schedule about a run. */
export interface ToldByRun {
  /** Key under which the messages are stored. */
  readonly key: string;
  readonly messages: number;
}

/**
 * Stored job. A `draft` is one whose pages are still being written, and an `expired` one is being deleted; the API shows
 * neither.
 * Fields with free names (selectors, headers, metadata) are JSON text, since BSON would reject some names.
 */
export interface JobDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly name: string;
  /** The first few hosts of its URLs; missing of jobs of earlier versions. */
  readonly hosts?: string[];
  /** Terms by which it is found. */
  readonly searchTerms?: string[];
  readonly status: JobState | 'draft' | 'expired';
  readonly totalUrls: number;
  /** Number of different URLs, which have pages of their own; missing if no URL occurs twice. */
  readonly distinctUrls?: number;
  /** Approximate while pages finish; exact once the job has finished. */
  readonly completedUrls: number;
  readonly failedUrls: number;
  readonly creditsUsed: number;
  /** Numbers of results by kind of page; jobs of older versions do not have them. */
  readonly verdicts?: VerdictCounts;
  readonly optionsJson: string;
  /** Options of the crawl that the job is; missing of other jobs. */
  readonly crawlJson?: string;
  readonly crawl?: CrawlState;
  /** Only of lists of URLs with `maxCredits`. */
  readonly budget?: StartedPages;
  /** Origins to receive the credentials of a crawl's options. Other jobs send them to the origin of each URL. */
  readonly credentialOrigins?: string[];
  /** Only of finished jobs that were compared with another. */
  readonly comparison?: Comparison;
  /** Change of the health of its schedule by a run, as JSON; missing if that is nothing. */
  readonly healthJson?: string;
  /** Rules by which a run tells people, as JSON. */
  readonly rulesJson?: string;
  /** Messages of those rules; missing if there are none. */
  readonly told?: ToldByRun;
  /** Fields that did not meet their expectations. */
  readonly warnings?: readonly Warning[];
  /** Its URLs have methods and bodies of their own, which are stored with its pages. */
  readonly hasRequests?: boolean;
  /** Its `dataset`, and the id of the dataset of this name at its creation. */
  readonly datasetJson?: string;
  /** Its `sink`. */
  readonly sinkJson?: string;
  /** Revisions of its dataset from its first change to its end; only of finished jobs with changes. */
  readonly datasetChange?: { readonly from: number; readonly to: number };
  readonly webhookJson?: string;
  readonly scheduleId?: string;
  readonly rerunOf?: string;
  /** The span that created it, if it is traced. */
  readonly traceparent?: string;
  /** The job whose kept pages it extracts from. */
  readonly extractOf?: string;
  readonly idempotency?: Idempotency;
  readonly createdAt: Date;
  readonly startedAt?: Date;
  readonly completedAt?: Date;
  /** Time of its cancellation. It has no `completedAt` until its pages are cancelled, too. */
  readonly cancelRequestedAt?: Date;
  /** Error for the pages that still wait. */
  readonly restFailure?: Failure;
  /** Time when a reconciler last checked the job; missing once nothing is left to do for it. */
  readonly checkedAt?: Date;
  /** Time when the counters were last compared with the pages. */
  readonly recountedAt?: Date;
  readonly events: UnsentEvent[];
  /** Only of jobs whose webhook receives results while the job runs. */
  readonly resultBatches?: ResultBatches;
  /** Time from which it is deleted with its pages and results. */
  readonly retainedUntil?: Date;
  /** Time from which the server deletes it alone, if no process has deleted it before. */
  readonly expiresAt?: Date;
}

export const jobSchema = documentSchema<JobDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  keyId: { type: String, default: null },
  name: { type: String, required: true },
  hosts: { type: [String], default: undefined },
  searchTerms: { type: [String], default: undefined },
  status: { type: String, required: true },
  totalUrls: { type: Number, required: true },
  distinctUrls: Number,
  completedUrls: { type: Number, default: 0 },
  failedUrls: { type: Number, default: 0 },
  creditsUsed: { type: Number, default: 0 },
  verdicts: { type: Map, of: Number },
  optionsJson: { type: String, required: true },
  crawlJson: String,
  crawl: {
    _id: false,
    type: {
      places: [String],
      hosts: [String],
      nextIndex: { type: Number, required: true },
      started: { type: Number, required: true },
      fetched: { type: Number, required: true },
      visited: Number,
      missing: { type: Number, required: true },
      depth: { type: Number, required: true },
      skipped: { type: Map, of: Number },
      dropped: { type: Map, of: Number },
      warnings: [{ _id: false, code: String, message: String }],
      stoppedBy: String,
      closedPatterns: { type: [String], default: undefined },
      matchedPatterns: { type: [Number], default: undefined },
      since: { type: [String], default: undefined },
      changes: { type: Map, of: Number },
      isSwept: Boolean,
      sweptTo: String,
    },
    required: false,
  },
  budget: {
    _id: false,
    type: { started: { type: Number, required: true }, fetched: { type: Number, required: true } },
    required: false,
  },
  credentialOrigins: { type: [String], default: undefined },
  comparison: {
    _id: false,
    type: {
      since: { type: String, required: true },
      added: { type: Number, required: true },
      removed: { type: Number, required: true },
      changed: { type: Number, required: true },
      stored: { type: Number, required: true },
      omitted: { type: Number, required: true },
      notCompared: Number,
      keysJson: { type: String, required: true },
    },
    required: false,
  },
  healthJson: String,
  rulesJson: String,
  told: { _id: false, key: String, messages: Number },
  warnings: { type: [{ _id: false, field: String, code: String, message: String }], default: undefined },
  hasRequests: Boolean,
  datasetJson: String,
  sinkJson: String,
  datasetChange: {
    _id: false,
    type: { from: { type: Number, required: true }, to: { type: Number, required: true } },
    required: false,
  },
  webhookJson: String,
  scheduleId: String,
  rerunOf: String,
  traceparent: String,
  extractOf: String,
  idempotency: { _id: false, key: String, requestHash: String },
  createdAt: { type: Date, required: true },
  startedAt: Date,
  completedAt: Date,
  cancelRequestedAt: Date,
  restFailure: { type: Schema.Types.Mixed },
  checkedAt: Date,
  recountedAt: Date,
  events: [{ _id: false, id: String, type: { type: String }, at: Date, batch: Number }],
  resultBatches: {
    _id: false,
    type: { count: { type: Number, required: true }, last: [Number], dueAt: Date },
    required: false,
  },
  retainedUntil: Date,
  expiresAt: Date,
});
// Identifiers rise with time, so these indexes list the newest jobs first.
jobSchema.index({ accountId: 1, _id: -1 });
jobSchema.index({ accountId: 1, status: 1, _id: -1 });
jobSchema.index({ accountId: 1, searchTerms: 1 });
jobSchema.index(
  { accountId: 1, scheduleId: 1, _id: -1 },
  { partialFilterExpression: { scheduleId: { $exists: true } } },
);
jobSchema.index(
  { accountId: 1, 'idempotency.key': 1 },
  { unique: true, partialFilterExpression: { 'idempotency.key': { $exists: true } } },
);
jobSchema.index({ checkedAt: 1 }, { sparse: true });
jobSchema.index({ 'resultBatches.dueAt': 1 }, { sparse: true });
jobSchema.index({ retainedUntil: 1 }, { sparse: true });
jobSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
