import type { KeptPage, ReusablePage } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { findExcess } from '../database/find-excess.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';

/** A page that is kept for `maxAge`; `_id` is its key, and `source` its text in UTF-8, compressed with brotli. */
export interface CachedPageDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly engine: 'http' | 'browser';
  readonly kind: 'html' | 'xml' | 'text' | 'json';
  readonly baseUrl: string;
  readonly encoding?: string;
  /** Attribute of the elements that the browser did not show. */
  readonly hiddenMark?: { readonly name: string; readonly value: string };
  readonly source: Buffer;
  /** Bytes that count against the quota. */
  readonly bytes: number;
  /** Time at which the page was fetched. */
  readonly createdAt: Date;
  /** Time from which it is not found, and the server may delete it. */
  readonly expiresAt: Date;
}

export const cachedPageSchema = documentSchema<CachedPageDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  engine: { type: String, enum: ['http', 'browser'], required: true },
  kind: { type: String, enum: ['html', 'xml', 'text', 'json'], required: true },
  baseUrl: { type: String, required: true },
  encoding: String,
  hiddenMark: { name: String, value: String },
  source: { type: Buffer, required: true },
  bytes: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
cachedPageSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
cachedPageSchema.index({ accountId: 1, createdAt: -1 });

/** A page to keep for `maxAge`. */
export interface NewCachedPage {
  readonly accountId: string;
  readonly page: ReusablePage;
  readonly engine: 'http' | 'browser';
  readonly fetchedAt: Date;
}

/** Pages of an account to find, by their keys. */
export interface CachedPages {
  readonly accountId: string;
  readonly keys: readonly string[];
  readonly maxAgeMs: number;
}

/** Fields that only some pages have. */
const OPTIONAL = ['encoding', 'hiddenMark'] as const;
/** Bytes of a document beside its source: they bound the number of small pages. */
const OVERHEAD_BYTES = 1024;
/** Difference between the clocks of two processes that follow the clock of the database. */
const SKEW_MS = 60_000;

/** Store of the pages that are kept for `maxAge`, one under each key; the server deletes old ones. */
export class PageCache {
  readonly #pages: DriverCollection<CachedPageDocument>;

  constructor(pages: DriverCollection<CachedPageDocument>) {
    this.#pages = pages;
  }

  /** Keeps pages instead of earlier ones with their keys. Of two writers at the same time, one may give way. */
  async put(pages: readonly NewCachedPage[], retentionMs: number): Promise<void> {
    if (pages.length === 0) return;
    const operations = pages.map((page) => {
      const { _id, ...fields } = toDocument(page, retentionMs);
      const left = OPTIONAL.filter((name) => fields[name] === undefined);
      const $unset = Object.fromEntries(left.map((name) => [name, '' as const]));
      const update = { $set: fields, ...(left.length > 0 && { $unset }) };
      return { updateOne: { filter: { _id }, update, upsert: true } };
    });
    try {
      await this.#pages.bulkWrite(operations, { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Deletes the oldest pages of an account that are over its quota. */
  async deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
    const excess = await findExcess(this.#pages, accountId, quotaBytes);
    if (excess.length > 0) await this.#pages.deleteMany({ _id: { $in: excess.map(({ _id }) => _id) } });
  }

  /** Returns pages that are not too old, by key. Pages of the future, of a clock that was set back, are not found. */
  async find({ accountId, keys, maxAgeMs }: CachedPages, now: Date): Promise<ReadonlyMap<string, KeptPage>> {
    const nowMs = now.getTime();
    const createdAt = { $gte: new Date(nowMs - maxAgeMs), $lte: new Date(nowMs + SKEW_MS) };
    const found = await this.#pages
      .find(
        { _id: { $in: [...keys] }, accountId, createdAt, expiresAt: { $gt: now } },
        { promoteBuffers: true },
      )
      .toArray();
    return new Map(found.map((page) => [page._id, toKeptPage(page, nowMs)]));
  }
}

function toDocument(
  { accountId, page: { key, source: packed, ...page }, engine, fetchedAt }: NewCachedPage,
  retentionMs: number,
): CachedPageDocument {
  const source = Buffer.from(packed, 'base64');
  return {
    _id: key,
    accountId,
    engine,
    ...page,
    source,
    bytes: source.length + OVERHEAD_BYTES,
    createdAt: fetchedAt,
    expiresAt: new Date(fetchedAt.getTime() + retentionMs),
  };
}

function toKeptPage(
  { engine, kind, baseUrl, encoding, hiddenMark, source, createdAt }: CachedPageDocument,
  nowMs: number,
): KeptPage {
  return {
    kind,
    baseUrl,
    ...defined({ encoding, hiddenMark }),
    source: source.toString('base64'),
    statusCode: 200,
    engine,
    readAt: createdAt.toISOString(),
    age: Math.max(0, nowMs - createdAt.getTime()),
  };
}
