import { createId, type KeptPage, type PackedPage } from '@gleaner/contracts';
import { deleteSome } from '../database/delete-some.ts';
import { findExcess } from '../database/find-excess.ts';
import { insertMissing } from '../database/insert-missing.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';

/** A page that was kept, for a scrape by the gateway or for a job by the orchestrator; `source` is its text in UTF-8, compressed with brotli. */
export interface SnapshotDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Only of pages of jobs, like the next three. */
  readonly jobId?: string;
  /** URL of the page in its job. */
  readonly url?: string;
  /** Only of pages kept as evidence for a schedule; `runId` is the job that fetched the page. */
  readonly scheduleId?: string;
  readonly runId?: string;
  readonly statusCode?: number;
  readonly engine?: 'http' | 'browser';
  readonly kind: 'html' | 'xml' | 'text' | 'json';
  /** URL of the page, after redirects. */
  readonly baseUrl: string;
  /** Encoding in which the page was sent; UTF-8 where it is not set. */
  readonly encoding?: string;
  readonly source: Buffer;
  readonly bytes: number;
  readonly createdAt: Date;
  /** Time from which it is not found, and the server may delete it. */
  readonly expiresAt: Date;
}

export const snapshotSchema = documentSchema<SnapshotDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  jobId: String,
  url: String,
  scheduleId: String,
  runId: String,
  statusCode: Number,
  engine: { type: String, enum: ['http', 'browser'] },
  kind: { type: String, enum: ['html', 'xml', 'text', 'json'], required: true },
  baseUrl: { type: String, required: true },
  encoding: String,
  source: { type: Buffer, required: true },
  bytes: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
snapshotSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
snapshotSchema.index({ accountId: 1, createdAt: -1 });
snapshotSchema.index(
  { scheduleId: 1, runId: 1 },
  { partialFilterExpression: { scheduleId: { $exists: true } } },
);
snapshotSchema.index({ jobId: 1, url: 1 }, { partialFilterExpression: { jobId: { $exists: true } } });

/** A page to keep, and how long and how much of such pages. */
export interface NewSnapshot {
  readonly accountId: string;
  readonly page: PackedPage;
  readonly now: Date;
  readonly retentionMs: number;
  /** Bytes that all snapshots of the account may take. */
  readonly quotaBytes: number;
}

/** A page of a job to keep, under an id that is the same each time it is stored. */
export interface NewPageSnapshot {
  readonly id: string;
  readonly accountId: string;
  /** The job of the snapshot; evidence for a schedule has the schedule and the run instead. */
  readonly jobId?: string;
  readonly scheduleId?: string;
  readonly runId?: string;
  /** URL of the page in its job. */
  readonly url: string;
  readonly page: PackedPage & Pick<KeptPage, 'statusCode' | 'engine'>;
}

/** Store of kept pages, which the server deletes when they are too old. */
export class SnapshotStore {
  readonly #snapshots: DriverCollection<SnapshotDocument>;

  constructor(snapshots: DriverCollection<SnapshotDocument>) {
    this.#snapshots = snapshots;
  }

  /** Keeps a page and returns its id. The oldest snapshots of the account give way when it is over its quota. */
  async insertSnapshot({ accountId, page, now, retentionMs, quotaBytes }: NewSnapshot): Promise<string> {
    const source = Buffer.from(page.source, 'base64');
    const _id = createId('snp');
    await this.#snapshots.insertOne({
      _id,
      accountId,
      ...page,
      source,
      bytes: source.length,
      createdAt: now,
      expiresAt: new Date(now.getTime() + retentionMs),
    });
    await this.deleteExcess(accountId, quotaBytes);
    return _id;
  }

  /** Keeps pages of jobs; one that is kept already stays as it is. */
  async insertPageSnapshots(
    pages: readonly NewPageSnapshot[],
    { now, retentionMs }: Pick<NewSnapshot, 'now' | 'retentionMs'>,
  ): Promise<void> {
    if (pages.length === 0) return;
    const expiresAt = new Date(now.getTime() + retentionMs);
    const documents = pages.map(({ id, page: { source: packed, ...page }, ...owner }) => {
      const source = Buffer.from(packed, 'base64');
      return { _id: id, ...owner, ...page, source, bytes: source.length, createdAt: now, expiresAt };
    });
    await insertMissing(this.#snapshots, documents);
  }

  /** Deletes the oldest snapshots of an account that are over its quota. */
  async deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
    const excess = await findExcess(this.#snapshots, accountId, quotaBytes);
    if (excess.length > 0) await this.#snapshots.deleteMany({ _id: { $in: excess.map(({ _id }) => _id) } });
  }

  /** Deletes up to this many snapshots of pages of a job; returns their number. */
  async deleteSome(jobId: string, most: number): Promise<number> {
    return await deleteSome(this.#snapshots, { jobId }, most);
  }

  /** Returns whether pages of the job are still kept. */
  async hasPagesOf(jobId: string, now: Date): Promise<boolean> {
    return (await this.#snapshots.countDocuments({ jobId, expiresAt: { $gt: now } }, { limit: 1 })) > 0;
  }

  /** Returns the kept pages of a job with these URLs, by URL. */
  async findPagesOf(
    jobId: string,
    urls: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, KeptPage>> {
    if (urls.length === 0) return new Map();
    const found = await this.#snapshots
      .find({ jobId, url: { $in: [...urls] }, expiresAt: { $gt: now } }, { promoteBuffers: true })
      .sort({ createdAt: 1 })
      .toArray();
    return new Map(found.map((each) => [each.url ?? '', toKeptPage(each)]));
  }

  /** Returns the ids of the pages that a run of a schedule kept, by URL; of a run with `snapshot`, those with these URLs. */
  async findEvidence(
    { scheduleId, runId }: { readonly scheduleId: string; readonly runId: string },
    urls: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await this.#snapshots
      .find({
        $or: [
          { scheduleId, runId },
          { jobId: runId, url: { $in: [...urls] } },
        ],
      })
      .project<{ _id: string; url: string }>({ url: 1 })
      .toArray();
    return new Map(found.map(({ _id, url }) => [url, _id]));
  }

  /** Keeps the evidence of a schedule until `expiresAt`, and deletes the evidence of earlier runs. */
  async keepEvidence(
    { scheduleId, runId }: { readonly scheduleId: string; readonly runId: string },
    ids: readonly string[],
    expiresAt: Date,
  ): Promise<void> {
    await this.#snapshots.updateMany({ _id: { $in: [...ids] } }, { $max: { expiresAt } });
    await this.#snapshots.deleteMany({ scheduleId, runId: { $lte: runId }, _id: { $nin: [...ids] } });
  }

  /** Returns which of these pages are still kept. */
  async findKept(ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
    const found = await this.#snapshots
      .find({ _id: { $in: [...ids] }, expiresAt: { $gt: now } })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Returns a page of the account that is still kept, or null. */
  async findSnapshot(id: string, accountId: string, now: Date): Promise<PackedPage | null> {
    const found = await this.#snapshots.findOne(
      { _id: id, accountId, expiresAt: { $gt: now } },
      { promoteBuffers: true },
    );
    if (!found) return null;
    return toPackedPage(found);
  }
}

function toPackedPage({
  kind,
  baseUrl,
  encoding,
  source,
}: Pick<SnapshotDocument, keyof PackedPage>): PackedPage {
  return { kind, baseUrl, ...(encoding && { encoding }), source: source.toString('base64') };
}

function toKeptPage({ statusCode, engine, createdAt, ...page }: SnapshotDocument): KeptPage {
  return {
    ...toPackedPage(page),
    statusCode: statusCode ?? 200,
    engine: engine ?? 'http',
    readAt: createdAt.toISOString(),
  };
}
