import { documentSchema } from '../document-schema.ts';

/** A page that was kept, for a scrape by the gateway or for a job by the orchestrator; `source` is its text in UTF-8, compressed with brotli. */
export interface SnapshotDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Only of pages of jobs, like the next three. */
  readonly jobId?: string;
  /** URL of the page in its job. */
  readonly url?: string;
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
snapshotSchema.index({ jobId: 1, url: 1 }, { partialFilterExpression: { jobId: { $exists: true } } });
