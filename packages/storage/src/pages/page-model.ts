import type { CreditsBreakdown, Failure } from '@gleaner/contracts';
import { Schema } from 'mongoose';

/** The states of a page: `waiting ⇄ running → succeeded | failed | cancelled`. */
export const PAGE_STATES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** One URL of a job; `_id` is made of job and index, so that there can't be two. What it brought is in `results`. */
export interface PageDocument {
  readonly _id: string;
  readonly jobId: string;
  readonly index: number;
  /** As the caller wrote it. */
  readonly url: string;
  readonly host: string;
  readonly state: PageState;
  /** How often the page was dispatched; an outcome counts only under the number it was dispatched with. */
  readonly attempt: number;
  /** Tries that ended with an error. */
  readonly failures: number;
  /** Tries whose worker vanished. */
  readonly losses: number;
  /** Tries of which nothing was heard in time. */
  readonly overdues: number;
  /** A waiting page is not dispatched before. */
  readonly notBefore?: Date;
  /** When a running page is overdue. */
  readonly deadlineAt?: Date;
  /** What it cost; of succeeded pages. */
  readonly price?: CreditsBreakdown;
  /** Why there is no result; of failed pages, and the last error of those that wait for another try. */
  readonly failure?: Failure;
  readonly endedAt?: Date;
  readonly expiresAt: Date;
}

export const pageSchema = new Schema<PageDocument>(
  {
    _id: { type: String, required: true },
    jobId: { type: String, required: true },
    index: { type: Number, required: true },
    url: { type: String, required: true },
    host: { type: String, required: true },
    state: { type: String, enum: PAGE_STATES, required: true },
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
  },
  { versionKey: false, strict: 'throw' },
);
// Running pages of all jobs, waiting pages of one job in order, and counts by state, each from this one index.
pageSchema.index({ state: 1, jobId: 1, index: 1 });
pageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const INDEX_DIGITS = 5;

/** The identifier of a page: unique per job and index, and in the order of indexes. Also names it in the ledger. */
export function pageIdOf(jobId: string, index: number): string {
  return `${jobId}:${String(index).padStart(INDEX_DIGITS, '0')}`;
}

/** The identifiers of all pages of a job, as bounds: the first is included, the last is not. */
export function pageIdBounds(jobId: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${jobId}:`, $lt: `${jobId};` };
}
