import { createId, SCOPES, type Scope } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import type { Clock } from '../database/database-clock.ts';
import { documentSchema, exactly } from '../document-schema.ts';
import { checkImportedKey } from './check-imported-key.ts';
import { generateKey, hashKey, prefixOf } from './generate-key.ts';

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

/** API key without the key itself. */
export interface StoredKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** Fields of a new key. */
export interface NewStoredKey {
  readonly accountId: string;
  /** Default "Unnamed key". */
  readonly name?: string | undefined;
  /** Default: every scope except admin. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: never. */
  readonly expiresAt?: Date | null | undefined;
}

/** Part of a list: at most `limit` entries after the first `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const DEFAULT_SCOPES = SCOPES.filter((scope) => scope !== 'admin');

/** Store of API keys, which keeps only their SHA-256. */
export class KeyStore {
  readonly #keys: Model<KeyDocument>;
  readonly #clock: Clock;

  constructor(keys: Model<KeyDocument>, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Creates a key; `key` is returned by this call only. */
  async createKey(fields: NewStoredKey): Promise<StoredKey & { readonly key: string }> {
    const key = generateKey();
    const document = toDocument(key, fields, this.#clock.now());
    await this.#keys.create(document);
    return { ...toStoredKey(document), key };
  }

  /**
   * Imports a key that the operator chose; an existing record of the same key is returned unchanged, revoked or not.
   * Throws INVALID_REQUEST if the key is too weak.
   */
  async importKey({ key, ...fields }: NewStoredKey & { readonly key: string }): Promise<StoredKey> {
    checkImportedKey(key);
    const { hash, ...fresh } = toDocument(key, fields, this.#clock.now());
    const document = await this.#keys
      .findOneAndUpdate({ hash }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
      .lean();
    return toStoredKey(document);
  }

  /** Returns the key with this hash (`hashKey`), even if it is revoked or expired; or null. */
  async findByHash(hash: string): Promise<StoredKey | null> {
    const document = await this.#keys.findOne({ hash: exactly(hash) }).lean();
    return document && toStoredKey(document);
  }

  /** Returns a part of the account's keys, newest first, and their total number. */
  async listKeys(accountId: string, { limit, offset }: Page): Promise<{ keys: StoredKey[]; total: number }> {
    const [documents, total] = await Promise.all([
      this.#keys.find({ accountId }).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
      this.#keys.countDocuments({ accountId }),
    ]);
    return { keys: documents.map(toStoredKey), total };
  }

  /** Returns the number of the account's keys that are neither revoked nor expired. */
  async countUsableKeys(accountId: string): Promise<number> {
    const notExpired = [{ expiresAt: null }, { expiresAt: { $gt: this.#clock.now() } }];
    return await this.#keys.countDocuments({
      accountId: exactly(accountId),
      revokedAt: { $exists: false },
      $or: notExpired,
    });
  }

  /** Stores when keys were last used; an earlier time changes nothing. */
  async noteUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    if (uses.size === 0) return;
    const updates = [...uses].map(([id, lastUsedAt]) => ({
      updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt } } },
    }));
    await this.#keys.bulkWrite(updates, { ordered: false, writeConcern: WRITE_CONCERNS.counter });
  }

  /** Revokes a key permanently; idempotent. Returns null if the account has no such key. */
  async revokeKey(accountId: string, id: string): Promise<StoredKey | null> {
    const document = await this.#keys
      .findOneAndUpdate(
        { _id: exactly(id), accountId: exactly(accountId) },
        // $min keeps the first time: a missing field takes the value.
        { $min: { revokedAt: this.#clock.now() } },
        { returnDocument: 'after' },
      )
      .lean();
    return document && toStoredKey(document);
  }
}

function toDocument(key: string, fields: NewStoredKey, createdAt: Date): KeyDocument {
  const { accountId, name = 'Unnamed key', scopes = DEFAULT_SCOPES, expiresAt = null } = fields;
  return {
    _id: createId('key'),
    accountId,
    name,
    hash: hashKey(key),
    prefix: prefixOf(key),
    scopes: [...scopes],
    createdAt,
    expiresAt,
  };
}

function toStoredKey({ _id, hash: _hash, revokedAt, lastUsedAt, ...rest }: KeyDocument): StoredKey {
  return { id: _id, ...rest, revokedAt: revokedAt ?? null, lastUsedAt: lastUsedAt ?? null };
}
