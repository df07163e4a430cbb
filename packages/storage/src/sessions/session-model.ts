import { documentSchema } from '../document-schema.ts';

/** Session of a browser, or a code that opens one; `_id` is the SHA-256 of its secret, in hex. */
export interface SessionDocument {
  readonly _id: string;
  readonly kind: 'session' | 'code';
  /** SHA-256 of the API key that it stands for. */
  readonly keyHash: string;
  readonly createdAt: Date;
  /** Time from which it is not valid, and the server may delete it. */
  readonly expiresAt: Date;
}

export const sessionSchema = documentSchema<SessionDocument>({
  _id: { type: String, required: true },
  kind: { type: String, enum: ['session', 'code'], required: true },
  keyHash: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
