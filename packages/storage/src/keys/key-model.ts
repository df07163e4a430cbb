import { SCOPES, type Scope } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/** Stored API key, without the key itself. */
export interface KeyDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly scopes: Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Absent until the key is revoked. */
  readonly revokedAt?: Date;
  /** Absent until the key is used. */
  readonly lastUsedAt?: Date;
}

export const keySchema = documentSchema<KeyDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  hash: { type: String, required: true },
  prefix: { type: String, required: true },
  scopes: { type: [{ type: String, enum: SCOPES }], required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, default: null },
  revokedAt: Date,
  lastUsedAt: Date,
});
keySchema.index({ hash: 1 }, { unique: true });
keySchema.index({ accountId: 1, createdAt: -1, _id: -1 });
