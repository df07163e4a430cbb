import { Schema, type Types } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/**
 * Record of a screenshot that exists or may exist. It is written before the first byte of the image and deleted after
 * the last, so that a crash in between leaves no orphaned bytes. The image itself is a GridFS file with the same id.
 */
export interface ScreenshotDocument {
  readonly _id: Types.ObjectId;
  readonly jobId: string;
  readonly pageId: string;
  readonly attempt: number;
  /** Time of the next check whether the screenshot is still needed. */
  readonly checkAt: Date;
}

export const screenshotSchema = documentSchema<ScreenshotDocument>({
  _id: { type: Schema.Types.ObjectId, required: true },
  jobId: { type: String, required: true },
  pageId: { type: String, required: true },
  attempt: { type: Number, required: true },
  checkAt: { type: Date, required: true },
});
screenshotSchema.index({ checkAt: 1 });
