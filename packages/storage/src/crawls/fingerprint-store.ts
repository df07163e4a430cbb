import { deleteSome } from '../database/delete-some.ts';
import { insertMissing } from '../database/insert-missing.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';
import { pageIdBounds } from '../pages/page-id.ts';
import type { PageAttempt } from '../pages/stored-page.ts';

/**
 * Traits of a page as one attempt of a crawl found it, by which a later crawl tells whether it has changed. Like a
 * result, it is written before the page ends, with page and attempt as its id.
 */
export interface FingerprintDocument {
  readonly _id: string;
  /** Hash of the options for the content of a result and for the links to follow. */
  readonly terms: string;
  /** Hash of the data and formats, or of the readable text of pages without selectors and formats. */
  readonly contentHash: string;
  readonly textHash: string;
  /** Validators; missing where links are, since a page that has not been modified is not read again. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** False if the links of the page were not wanted. */
  readonly isFollowed: boolean;
  /** Indexes of the pages that it links to, in base 36; `>` stands before links to the next page of a list. */
  readonly links: string;
  readonly expiresAt: Date;
}

export const fingerprintSchema = documentSchema<FingerprintDocument>({
  _id: { type: String, required: true },
  terms: { type: String, required: true },
  contentHash: { type: String, required: true },
  textHash: { type: String, required: true },
  etag: String,
  lastModified: String,
  isFollowed: { type: Boolean, required: true },
  links: String,
  expiresAt: { type: Date, required: true },
});
fingerprintSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A link of a page: the index of the page that it leads to. */
export interface IndexedLink {
  readonly index: number;
  readonly isNext: boolean;
}

/** Fingerprint of a page. */
export interface Fingerprint extends Omit<FingerprintDocument, '_id' | 'links' | 'expiresAt'> {
  readonly links: readonly IndexedLink[];
}

/** Fingerprint of an attempt, to be stored. */
export type NewFingerprint = PageAttempt & Fingerprint;

/** Store of fingerprints; only the job-orchestrator uses it. */
export class FingerprintStore {
  readonly #fingerprints: DriverCollection<FingerprintDocument>;

  constructor(fingerprints: DriverCollection<FingerprintDocument>) {
    this.#fingerprints = fingerprints;
  }

  /** Stores fingerprints, durably as results are; idempotent. */
  async insertFingerprints(added: readonly NewFingerprint[], expiresAt: Date): Promise<void> {
    if (added.length === 0) return;
    const documents = added.map(({ id, attempt, links, ...rest }) => ({
      _id: idOf({ id, attempt }),
      ...rest,
      links: writeLinks(links),
      expiresAt,
    }));
    await insertMissing(this.#fingerprints, documents);
  }

  /** Deletes up to this many fingerprints of a job; returns their number. */
  async deleteSome(jobId: string, most: number): Promise<number> {
    return await deleteSome(this.#fingerprints, { _id: pageIdBounds(jobId) }, most);
  }

  /** Returns the fingerprints of attempts, by page id. */
  async findFingerprints(attempts: readonly PageAttempt[]): Promise<ReadonlyMap<string, Fingerprint>> {
    if (attempts.length === 0) return new Map();
    const pageIds = new Map(attempts.map((attempt) => [idOf(attempt), attempt.id]));
    const documents = await this.#fingerprints.find({ _id: { $in: [...pageIds.keys()] } }).toArray();
    return new Map(
      documents.map(({ _id, links, expiresAt: _expiresAt, ...rest }) => [
        pageIds.get(_id) ?? _id,
        { ...rest, links: readLinks(links) },
      ]),
    );
  }
}

function idOf({ id, attempt }: PageAttempt): string {
  return `${id}#${attempt}`;
}

const RADIX = 36;

function writeLinks(links: readonly IndexedLink[]): string {
  return links.map(({ index, isNext }) => (isNext ? '>' : '') + index.toString(RADIX)).join(' ');
}

function readLinks(text: string): IndexedLink[] {
  if (text === '') return [];
  return text.split(' ').map((link) => {
    const isNext = link.startsWith('>');
    return { index: Number.parseInt(isNext ? link.slice(1) : link, RADIX), isNext };
  });
}
