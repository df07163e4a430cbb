import { Schema, type Types } from 'mongoose';

/**
 * Says that there is, or may be, a screenshot under this id: written before its first byte, removed after its last, so that
 * a crash in between leaves nothing that nobody knows of. The picture itself is a file of GridFS.
 */
export interface ScreenshotDocument {
  readonly _id: Types.ObjectId;
  readonly jobId: string;
  readonly pageId: string;
  readonly attempt: number;
  /** When somebody looks whether it is still wanted. */
  readonly checkAt: Date;
}

export const screenshotSchema = new Schema<ScreenshotDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    jobId: { type: String, required: true },
    pageId: { type: String, required: true },
    attempt: { type: Number, required: true },
    checkAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
screenshotSchema.index({ checkAt: 1 });
