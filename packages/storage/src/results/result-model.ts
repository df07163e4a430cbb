import { documentSchema } from '../document-schema.ts';

/**
 * Result of one attempt at a page, as the JSON text that the API returns. It is written before the page is marked as
 * succeeded, with page and attempt as its id; only the result of the attempt that the page succeeded with counts.
 */
export interface ResultDocument {
  readonly _id: string;
  readonly json: string;
  /** Screenshot that counts, if several were stored for the attempt. */
  readonly screenshotId?: string;
  /** Attempts with the times of their stages, in JSON. */
  readonly trace?: string;
  readonly expiresAt: Date;
}

export const resultSchema = documentSchema<ResultDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  screenshotId: String,
  trace: String,
  expiresAt: { type: Date, required: true },
});
resultSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
