import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { IMAGE_FORMATS, type ImageFormat } from '@gleaner/contracts';
import mongoose, { type Model, type mongo, Schema, type Types } from 'mongoose';
import { OPERATION_TIMEOUT_MS, WRITE_CONCERNS } from '../database/connection-options.ts';
import { documentSchema } from '../document-schema.ts';
import type { PageAttempt } from '../pages/stored-page.ts';

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

/** Screenshot of an attempt at a page, to be stored; `checkAt` is when to check whether it is still needed. */
export interface NewScreenshot extends PageAttempt {
  readonly jobId: string;
  readonly image: Buffer;
  readonly format: ImageFormat;
  readonly checkAt: Date;
}

/** Metadata of a screenshot. */
export interface ScreenshotRecord extends Omit<ScreenshotDocument, '_id'> {
  readonly id: string;
}

/** Readable screenshot. */
export interface StoredScreenshot {
  readonly id: string;
  readonly bytes: number;
  readonly format: ImageFormat;
  /** Returns the image as a stream. */
  open(): Readable;
}

const CHUNK_BYTES = 1_048_576;
/** No caller waits any longer; an upload without a limit could outlive its record. */
const UPLOAD_TIMEOUT_MS = OPERATION_TIMEOUT_MS + 1000;

/** Store of screenshots of job pages, in GridFS; only the job-orchestrator writes it. */
export class ScreenshotStore {
  readonly #records: Model<ScreenshotDocument>;
  #bucket: { readonly db: mongo.Db; readonly files: mongo.GridFSBucket } | undefined;

  constructor(records: Model<ScreenshotDocument>) {
    this.#records = records;
  }

  /** Stores a screenshot under a new id, durably, even if the page has others. */
  async insertScreenshot({ jobId, id, attempt, image, format, checkAt }: NewScreenshot): Promise<string> {
    const _id = new mongoose.mongo.ObjectId();
    await this.#records.create({ _id, jobId, pageId: id, attempt, checkAt });
    const upload = this.#files().openUploadStreamWithId(_id, `${id}#${attempt}.${format}`);
    await pipeline([image], upload, { signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
    return _id.toHexString();
  }

  /** Returns the screenshot with this id, or null. */
  async findScreenshot(id: string): Promise<StoredScreenshot | null> {
    const _id = mongoose.mongo.ObjectId.createFromHexString(id);
    const [file] = await this.#files().find({ _id }).limit(1).toArray();
    if (!file) return null;
    const format = IMAGE_FORMATS.find((name) => file.filename.endsWith(`.${name}`)) ?? 'png';
    return { id, bytes: file.length, format, open: () => this.#files().openDownloadStream(_id) };
  }

  /** Returns screenshots that are due for a check whether they are still needed, the longest due first. */
  async findUnchecked(now: Date, limit: number): Promise<ScreenshotRecord[]> {
    const documents = await this.#records
      .find({ checkAt: { $lte: now } })
      .sort({ checkAt: 1 })
      .limit(limit)
      .lean();
    return documents.map(({ _id, ...rest }) => ({ id: _id.toHexString(), ...rest }));
  }

  /** Postpones the check of a screenshot. */
  async checkLater(id: string, checkAt: Date): Promise<void> {
    const _id = mongoose.mongo.ObjectId.createFromHexString(id);
    await this.#records.updateOne({ _id }, { $set: { checkAt } });
  }

  /** Deletes a screenshot, its chunks and its record; idempotent. */
  async deleteScreenshot(id: string): Promise<void> {
    const _id = mongoose.mongo.ObjectId.createFromHexString(id);
    await this.#files()
      .delete(_id)
      .catch((error: unknown) => {
        // An interrupted upload has chunks and no file; the chunks are deleted by now.
        if (!isFileMissing(error)) throw error;
      });
    await this.#records.deleteOne({ _id });
  }

  /** Returns the files of the open client, one after the other when clients are replaced. */
  #files(): mongo.GridFSBucket {
    const { db } = this.#records.db;
    if (!db) throw new mongoose.mongo.MongoNotConnectedError('The connection is not open.');
    if (this.#bucket?.db !== db) {
      const files = new mongoose.mongo.GridFSBucket(db, {
        bucketName: 'screenshots',
        chunkSizeBytes: CHUNK_BYTES,
        writeConcern: WRITE_CONCERNS.durable,
      });
      this.#bucket = { db, files };
    }
    return this.#bucket.files;
  }
}

function isFileMissing(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoRuntimeError && error.message.startsWith('File not found');
}
