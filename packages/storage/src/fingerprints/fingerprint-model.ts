import { documentSchema } from '../document-schema.ts';

/**
 * Traits of a page as one attempt of a crawl found it, by which a later crawl tells whether it has changed. Like a
 * result, it is written before the page ends, with page and attempt as its id.
 */
export interface FingerprintDocument {
  readonly _id: string;
  /** Hash of the options that decide what a result contains and which links are followed. */
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
