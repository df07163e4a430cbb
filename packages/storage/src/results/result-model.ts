import { Schema } from 'mongoose';

/**
 * What one try at a page brought, as the JSON text that callers get. It is written before the page is said to have
 * succeeded, under page and attempt: of several, the attempt that the page succeeded with counts.
 */
export interface ResultDocument {
  readonly _id: string;
  readonly json: string;
  /** Of those that were stored for the try, the screenshot that counts. */
  readonly screenshotId?: string;
  readonly expiresAt: Date;
}

export const resultSchema = new Schema<ResultDocument>(
  {
    _id: { type: String, required: true },
    json: { type: String, required: true },
    screenshotId: String,
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
resultSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
