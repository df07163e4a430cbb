import { documentSchema } from '../document-schema.ts';

/** Trace of one scrape; `_id` is made of account and request id. Traces of pages of jobs are stored with their results. */
export interface TraceDocument {
  readonly _id: string;
  /** Request without its secrets, outcome and attempts. */
  readonly json: string;
  readonly expiresAt: Date;
}

export const traceSchema = documentSchema<TraceDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
traceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
