import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose, { type mongo } from 'mongoose';
import type { Database } from '../database/connect-database.ts';
import { OPERATION_TIMEOUT_MS, WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import type { PageAttempt } from '../pages/page-store.ts';
import type { ScreenshotDocument } from './screenshot-model.ts';

/** Which try at which page of which job brought a screenshot, and when to look whether it is still wanted. */
export interface NewScreenshot extends PageAttempt {
  readonly jobId: string;
  readonly png: Buffer;
  readonly checkAt: Date;
}

/** What is known of a screenshot without looking at it. */
export interface ScreenshotRecord extends Omit<ScreenshotDocument, '_id'> {
  readonly id: string;
}

/** A screenshot that can be read. */
export interface StoredScreenshot {
  readonly id: string;
  readonly bytes: number;
  /** The PNG, as fast as it is read. */
  open(): Readable;
}

export type ScreenshotStore = ReturnType<typeof createScreenshotStore>;

const CHUNK_BYTES = 1_048_576;
/** Nobody waits by then; what went on for ever could outlive its record. */
const UPLOAD_TIMEOUT_MS = OPERATION_TIMEOUT_MS + 1000;

/** Screenshots of pages of jobs, in GridFS; written by the job-orchestrator alone. */
export function createScreenshotStore({ models }: Pick<Database, 'models'>) {
  const records = driverCollection(models.screenshots);
  // Made at the first use: a connection has its database once it is open.
  let bucket: mongo.GridFSBucket | undefined;
  function files(): mongo.GridFSBucket {
    const { db } = models.screenshots.db;
    if (!db) throw new mongoose.mongo.MongoNotConnectedError('The connection is not open.');
    bucket ??= new mongoose.mongo.GridFSBucket(db, {
      bucketName: 'screenshots',
      chunkSizeBytes: CHUNK_BYTES,
      writeConcern: WRITE_CONCERNS.counter,
    });
    return bucket;
  }

  return guarded({
    /**
     * Keeps a screenshot under a new id, whatever was kept of the page before. It becomes durable with the next durable
     * write, which is the one that says that its page has succeeded.
     */
    async insertScreenshot({ jobId, id, attempt, png, checkAt }: NewScreenshot): Promise<string> {
      const _id = new mongoose.mongo.ObjectId();
      await records.insertOne({ _id, jobId, pageId: id, attempt, checkAt });
      const upload = files().openUploadStreamWithId(_id, `${id}#${attempt}.png`);
      await pipeline([png], upload, { signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
      return _id.toHexString();
    },

    /** The screenshot with this id, or null. */
    async findScreenshot(id: string): Promise<StoredScreenshot | null> {
      const _id = mongoose.mongo.ObjectId.createFromHexString(id);
      const [file] = await files().find({ _id }).limit(1).toArray();
      return file ? { id, bytes: file.length, open: () => files().openDownloadStream(_id) } : null;
    },

    /** Screenshots of which somebody should look whether they are still wanted, the longest due first. */
    async findUnchecked(now: Date, limit: number): Promise<ScreenshotRecord[]> {
      const documents = await records
        .find({ checkAt: { $lte: now } })
        .sort({ checkAt: 1 })
        .limit(limit)
        .toArray();
      return documents.map(({ _id, ...rest }) => ({ id: _id.toHexString(), ...rest }));
    },

    /** Lets a screenshot be until then. */
    async checkLater(id: string, checkAt: Date): Promise<void> {
      const _id = mongoose.mongo.ObjectId.createFromHexString(id);
      await records.updateOne({ _id }, { $set: { checkAt } });
    },

    /** Removes a screenshot and whatever there is of it; once more changes nothing. */
    async deleteScreenshot(id: string): Promise<void> {
      const _id = mongoose.mongo.ObjectId.createFromHexString(id);
      await files()
        .delete(_id)
        .catch((fault: unknown) => {
          // An upload that was cut off has chunks and no file; they are gone by now.
          if (!isFileMissing(fault)) throw fault;
        });
      await records.deleteOne({ _id });
    },
  });
}

function isFileMissing(fault: unknown): boolean {
  return fault instanceof mongoose.mongo.MongoRuntimeError && fault.message.startsWith('File not found');
}
