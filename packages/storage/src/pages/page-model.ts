import type { CreditsBreakdown, Failure } from '@gleaner/contracts';
import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** The states of a page: `waiting ⇄ running → succeeded | failed | cancelled`. */
export const PAGE_STATES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** State of an entry whose URL an earlier page of the job has. It never changes: its outcome is that of the other page. */
export const COPY = 'copy';

/** Stored URL of a job; `_id` consists of job and index, so it is unique. Its result is in the collection `results`. */
export interface PageDocument {
  readonly _id: string;
  readonly jobId: string;
  readonly index: number;
  /** As given in the request. */
  readonly url: string;
  readonly host: string;
  readonly state: PageState | typeof COPY;
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
  /** Time before which a waiting page is not dispatched. */
  readonly notBefore?: Date;
  /** Time from which a running page is overdue. */
  readonly deadlineAt?: Date;
  /** Price of a succeeded page. */
  readonly price?: CreditsBreakdown;
  /** Error of a failed page, or the last error of a page that waits for its next attempt. */
  readonly failure?: Failure;
  readonly endedAt?: Date;
  readonly expiresAt: Date;
}

export const pageSchema = documentSchema<PageDocument>({
  _id: { type: String, required: true },
  jobId: { type: String, required: true },
  index: { type: Number, required: true },
  url: { type: String, required: true },
  host: { type: String, required: true },
  state: { type: String, enum: [...PAGE_STATES, COPY], required: true },
  copyOf: String,
  copies: Number,
  attempt: { type: Number, required: true },
  failures: { type: Number, required: true },
  losses: { type: Number, required: true },
  overdues: { type: Number, required: true },
  notBefore: Date,
  deadlineAt: Date,
  price: { type: Map, of: Number },
  failure: { type: Schema.Types.Mixed },
  endedAt: Date,
  expiresAt: { type: Date, required: true },
});
// This one index serves running pages of all jobs, waiting pages of one job in order, and counts by state.
pageSchema.index({ state: 1, jobId: 1, index: 1 });
// Waiting pages of one job by host, so that hosts take turns however many pages another one has.
pageSchema.index({ jobId: 1, host: 1, index: 1 }, { partialFilterExpression: { state: 'waiting' } });
pageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
