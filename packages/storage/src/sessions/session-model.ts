import { documentSchema } from '../document-schema.ts';

/** Session of a browser, a code that opens one, or a ticket that opens one address; `_id` is the SHA-256 of its secret, in hex. */
export interface SessionDocument {
  readonly _id: string;
  readonly kind: 'session' | 'code' | 'ticket';
  /** SHA-256 of the API key that it stands for. */
  readonly keyHash: string;
  /** Path and query that a ticket opens. */
  readonly target?: string;
  readonly createdAt: Date;
  /** Time from which it is not valid, and the server may delete it. */
  readonly expiresAt: Date;
}

export const sessionSchema = documentSchema<SessionDocument>({
  _id: { type: String, required: true },
  kind: { type: String, enum: ['session', 'code', 'ticket'], required: true },
  keyHash: { type: String, required: true },
  target: { type: String },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
