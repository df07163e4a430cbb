import { Readable } from 'node:stream';
import { AppError, defined, FILE_PART_BYTES, type FileTraits } from '@gleaner/contracts';
import { confirmWrites } from '../database/confirm-writes.ts';
import { findExcess } from '../database/find-excess.ts';
import { bounded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';

/** A file stored by `download`, complete or arriving. It is written before its first part and deleted before its parts. */
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
  /** Time at which an arriving file is given up; unset once it is complete. */
  readonly arrivesUntil?: Date;
}

/** A part of a file. Its id has the ids of the file and the account and the index of the part, so that counting reads no contents. */
export interface FilePartDocument {
  readonly _id: string;
  readonly content: Buffer;
  /** Later than the file's own expiry: the server deletes only parts left by a crash. */
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

/** Store of files, whose parts fit into messages and documents. */
export class FileStore {
  readonly #files: DriverCollection<FileDocument>;
  readonly #parts: DriverCollection<FilePartDocument>;

  constructor(files: DriverCollection<FileDocument>, parts: DriverCollection<FilePartDocument>) {
    this.#files = files;
    this.#parts = parts;
  }

  /** Stores a part of an arriving file; an existing part stays as it is. */
  async insertPart(
    { id, accountId, jobId }: FileOwner,
    { index, content }: { readonly index: number; readonly content: Buffer },
    keeping: Keeping,
  ): Promise<void> {
    const times = timesOf(keeping);
    if (index === 0) {
      const arrivesUntil = new Date(keeping.now.getTime() + ARRIVAL_MS);
      const owner = { accountId, ...defined({ jobId }) };
      await this.#insertOnce(() =>
        this.#files.insertOne({ _id: id, ...owner, bytes: 0, ...times, arrivesUntil }),
      );
    }
    const expiresAt = new Date(times.expiresAt.getTime() + 2 * ARRIVAL_MS);
    const _id = partIdOf({ id, accountId }, index);
    await this.#insertOnce(() => this.#parts.insertOne({ _id, content, expiresAt }));
  }

  /** Makes a file of its parts. Repeating it changes nothing. Throws SERVICE_UNAVAILABLE if a part is missing. */
  async finishFile(
    { id, accountId, jobId }: FileOwner,
    { size, ...traits }: FileTraits,
    keeping: Keeping,
  ): Promise<void> {
    const count = Math.ceil(size / FILE_PART_BYTES);
    if ((await this.#parts.countDocuments({ _id: below(`${id}/${accountId}`) })) !== count)
      throw partsMissing();
    await this.#files.updateOne(
      { _id: id, accountId },
      {
        $set: { ...traits, bytes: size, ...defined({ jobId }) },
        $setOnInsert: timesOf(keeping),
        $unset: { arrivesUntil: true },
      },
      { upsert: true },
    );
  }

  /** Deletes a file that still arrives. */
  async discard({ id, accountId }: FileOwner): Promise<void> {
    const arriving = { _id: id, accountId, arrivesUntil: { $exists: true } };
    const found = await this.#files.find(arriving, { projection: { _id: 1 } }).toArray();
    await this.#deleteFiles(found);
  }

  /** Deletes the files of an account whose ids have this beginning, whole or not. */
  async deleteByPrefix(accountId: string, prefix: string): Promise<void> {
    // No character of an id comes after z.
    const ids = { $gte: prefix, $lt: `${prefix}{` };
    const found = await this.#files.find({ _id: ids, accountId }, { projection: { _id: 1 } }).toArray();
    await this.#deleteFiles(found);
  }

  /** Deletes up to this many files that were never finished; returns their number. */
  async deleteUnfinished(now: Date, most: number): Promise<number> {
    const found = await this.#files
      .find({ arrivesUntil: { $lte: now } }, { projection: { _id: 1 } })
      .limit(most)
      .toArray();
    return await this.#deleteFiles(found);
  }

  /** Deletes the oldest files of an account that are over its quota. */
  async deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
    await this.#deleteFiles(await findExcess(this.#files, accountId, quotaBytes));
  }

  /** Deletes up to this many files of pages of a job; returns their number. */
  async deleteSome(jobId: string, most: number): Promise<number> {
    const found = await this.#files
      .find({ jobId }, { projection: { _id: 1 } })
      .limit(most)
      .toArray();
    return await this.#deleteFiles(found);
  }

  /** Returns a file of the account that is still kept, or null. */
  async findFile(id: string, accountId: string, now: Date): Promise<KeptFile | null> {
    const found = await this.#files.findOne({ _id: id, accountId, expiresAt: { $gt: now } });
    if (!found || found.arrivesUntil) return null;
    const { name = '', contentType = '', bytes: size, sha256 = '' } = found;
    const readPart = (index: number) =>
      bounded(() =>
        this.#parts.findOne({ _id: partIdOf({ id, accountId }, index) }, { promoteBuffers: true }),
      );
    return {
      name,
      contentType,
      size,
      sha256,
      open: () => Readable.from(readParts(Math.ceil(size / FILE_PART_BYTES), readPart)),
    };
  }

  async #deleteFiles(found: readonly Pick<FileDocument, '_id'>[]): Promise<number> {
    if (found.length === 0) return 0;
    await this.#files.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    for (const { _id } of found) await this.#parts.deleteMany({ _id: below(_id) });
    return found.length;
  }

  /** Writes a document, or makes the one that is there durable. */
  async #insertOnce(insert: () => Promise<unknown>): Promise<void> {
    try {
      await insert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await confirmWrites(this.#files.conn);
    }
  }
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

/** Returns the range of ids below an id and a slash (`0` is the character after `/`). */
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

function timesOf({ now, retentionMs }: Keeping) {
  return { createdAt: now, expiresAt: new Date(now.getTime() + retentionMs) };
}
