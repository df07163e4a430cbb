import { Readable } from 'node:stream';
import { AppError, FILE_PART_BYTES, type FileTraits } from '@gleaner/contracts';
import { confirmWrites } from '../database/confirm-writes.ts';
import type { Database } from '../database/connect-database.ts';
import { findExcess } from '../database/find-excess.ts';
import { bounded, guarded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema, driverCollection } from '../document-schema.ts';

/** A file that `download` kept, or one that arrives. It is written before its first part, and deleted before them. */
export interface FileDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Only of pages of jobs. */
  readonly jobId?: string;
  readonly name?: string;
  readonly contentType?: string;
  /** Zero of a file that arrives. */
  readonly bytes: number;
  readonly sha256?: string;
  readonly createdAt: Date;
  /** Time from which it is not found, and the server may delete it. */
  readonly expiresAt: Date;
  /** Time from which a file that still arrives was given up; unset of one that is whole. */
  readonly arrivesUntil?: Date;
}

/** A part of a file; its id is made of that of the file, that of the account and its index, so that counting reads no contents. */
export interface FilePartDocument {
  readonly _id: string;
  readonly content: Buffer;
  /** Later than that of the file: only what a crash has left of its parts is deleted by the server. */
  readonly expiresAt: Date;
}

export const fileSchema = documentSchema<FileDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  jobId: String,
  name: String,
  contentType: String,
  bytes: { type: Number, required: true },
  sha256: String,
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  arrivesUntil: Date,
});
fileSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
fileSchema.index({ accountId: 1, createdAt: -1 });
fileSchema.index({ jobId: 1 }, { partialFilterExpression: { jobId: { $exists: true } } });
fileSchema.index({ arrivesUntil: 1 }, { partialFilterExpression: { arrivesUntil: { $exists: true } } });

export const filePartSchema = documentSchema<FilePartDocument>({
  _id: { type: String, required: true },
  content: { type: Buffer, required: true },
  expiresAt: { type: Date, required: true },
});
filePartSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A file and what it belongs to. */
export interface FileOwner {
  readonly id: string;
  readonly accountId: string;
  readonly jobId?: string | undefined;
}

/** The time, and how long files are kept. */
interface Keeping {
  readonly now: Date;
  readonly retentionMs: number;
}

/** Readable file. */
export interface KeptFile extends FileTraits {
  /** Returns its bytes as a stream; a part that is gone by then ends it with an error. */
  open(): Readable;
}

/** Longer than any request may take. */
const ARRIVAL_MS = 15 * 60_000;

/** Creates the store of files, whose parts fit into messages and documents. */
export function createFileStore({ models }: Pick<Database, 'models'>) {
  const files = driverCollection(models.files);
  const parts = driverCollection(models.fileParts);

  async function deleteFiles(found: readonly Pick<FileDocument, '_id'>[]): Promise<number> {
    if (found.length === 0) return 0;
    await files.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    for (const { _id } of found) await parts.deleteMany({ _id: below(_id) });
    return found.length;
  }

  /** Writes a document, or makes the one that is there durable. */
  async function insertOnce(insert: () => Promise<unknown>): Promise<void> {
    try {
      await insert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await confirmWrites(models);
    }
  }

  function timesOf({ now, retentionMs }: Keeping) {
    return { createdAt: now, expiresAt: new Date(now.getTime() + retentionMs) };
  }

  return guarded({
    /** Stores a part of a file that arrives; one that is there already stays as it is. */
    async insertPart(
      { id, accountId, jobId }: FileOwner,
      { index, content }: { readonly index: number; readonly content: Buffer },
      keeping: Keeping,
    ): Promise<void> {
      const times = timesOf(keeping);
      if (index === 0) {
        const arrivesUntil = new Date(keeping.now.getTime() + ARRIVAL_MS);
        const owner = { accountId, ...(jobId !== undefined && { jobId }) };
        await insertOnce(() => files.insertOne({ _id: id, ...owner, bytes: 0, ...times, arrivesUntil }));
      }
      const expiresAt = new Date(times.expiresAt.getTime() + 2 * ARRIVAL_MS);
      const _id = partIdOf({ id, accountId }, index);
      await insertOnce(() => parts.insertOne({ _id, content, expiresAt }));
    },

    /** Makes a file of its parts. Repeating it changes nothing. Throws SERVICE_UNAVAILABLE if a part is missing. */
    async finishFile(
      { id, accountId, jobId }: FileOwner,
      { size, ...traits }: FileTraits,
      keeping: Keeping,
    ): Promise<void> {
      const count = Math.ceil(size / FILE_PART_BYTES);
      if ((await parts.countDocuments({ _id: below(`${id}/${accountId}`) })) !== count) throw partsMissing();
      await files.updateOne(
        { _id: id, accountId },
        {
          $set: { ...traits, bytes: size, ...(jobId !== undefined && { jobId }) },
          $setOnInsert: timesOf(keeping),
          $unset: { arrivesUntil: true },
        },
        { upsert: true },
      );
    },

    /** Deletes a file that still arrives. */
    async discard({ id, accountId }: FileOwner): Promise<void> {
      const arriving = { _id: id, accountId, arrivesUntil: { $exists: true } };
      const found = await files.find(arriving, { projection: { _id: 1 } }).toArray();
      await deleteFiles(found);
    },

    /** Deletes up to this many files that were never finished; returns their number. */
    async deleteUnfinished(now: Date, most: number): Promise<number> {
      const found = await files
        .find({ arrivesUntil: { $lte: now } }, { projection: { _id: 1 } })
        .limit(most)
        .toArray();
      return await deleteFiles(found);
    },

    /** Deletes the oldest files of an account that are over its quota. */
    async deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
      await deleteFiles(await findExcess(files, accountId, quotaBytes));
    },

    /** Deletes up to this many files of pages of a job; returns their number. */
    async deleteSome(jobId: string, most: number): Promise<number> {
      const found = await files
        .find({ jobId }, { projection: { _id: 1 } })
        .limit(most)
        .toArray();
      return await deleteFiles(found);
    },

    /** Returns a file of the account that is still kept, or null. */
    async findFile(id: string, accountId: string, now: Date): Promise<KeptFile | null> {
      const found = await files.findOne({ _id: id, accountId, expiresAt: { $gt: now } });
      if (!found || found.arrivesUntil) return null;
      const { name = '', contentType = '', bytes: size, sha256 = '' } = found;
      const readPart = (index: number) =>
        bounded(() => parts.findOne({ _id: partIdOf({ id, accountId }, index) }, { promoteBuffers: true }));
      return {
        ...{ name, contentType, size, sha256 },
        open: () => Readable.from(readParts(Math.ceil(size / FILE_PART_BYTES), readPart)),
      };
    },
  });
}

async function* readParts(
  count: number,
  readPart: (index: number) => Promise<Pick<FilePartDocument, 'content'> | null>,
): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    const part = await readPart(index);
    if (!part) throw partsMissing();
    yield part.content;
  }
}

function partIdOf({ id, accountId }: FileOwner, index: number): string {
  return `${id}/${accountId}/${index}`;
}

/** Matches what begins with an id and a slash, which `0` follows. */
function below(id: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${id}/`, $lt: `${id}0` };
}

function partsMissing(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'A part of the file is not stored.',
    suggestion: 'Download it again.',
    retryAfterSeconds: 1,
  });
}
