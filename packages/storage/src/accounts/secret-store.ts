import { defined } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { documentSchema, exactly } from '../document-schema.ts';

/** Secret of an account; its value is encrypted with a key that the database does not have. */
export interface SecretDocument {
  /** Id of the account, and the name. */
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  readonly sealed: string;
  /** Absent if it may be used on the page that is scraped. */
  readonly origins?: string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const secretSchema = documentSchema<SecretDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  sealed: { type: String, required: true },
  origins: { type: [String], default: undefined },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
secretSchema.index({ accountId: 1, name: 1 });

/** Stored secret of an account. */
export type StoredSecret = Omit<SecretDocument, '_id' | 'accountId'>;

/** Store of secrets; only the gateway writes it. */
export class SecretStore {
  readonly #secrets: Model<SecretDocument>;

  constructor(secrets: Model<SecretDocument>) {
    this.#secrets = secrets;
  }

  /** Stores a secret, or replaces its value and origins. */
  async putSecret(
    accountId: string,
    { name, sealed, origins }: Pick<StoredSecret, 'name' | 'sealed' | 'origins'>,
    now: Date,
  ): Promise<StoredSecret> {
    const _id = idOf(accountId, name);
    await this.#secrets.updateOne(
      { _id: exactly(_id) },
      {
        $set: { sealed, updatedAt: now, ...defined({ origins }) },
        $setOnInsert: { accountId, name, createdAt: now },
        ...(!origins && { $unset: { origins: '' } }),
      },
      { upsert: true },
    );
    const stored = await this.#secrets.findOne({ _id: exactly(_id) }).lean();
    return stored ? toStored(stored) : { name, sealed, createdAt: now, updatedAt: now };
  }

  /** Returns the secrets of an account by name; those with these names, if any are given. */
  async findSecrets(accountId: string, names?: readonly string[]): Promise<StoredSecret[]> {
    const filter = { accountId: exactly(accountId), ...(names && { name: { $in: names.map(String) } }) };
    const found = await this.#secrets.find(filter).sort({ name: 1 }).lean();
    return found.map(toStored);
  }

  /** Deletes a secret. Returns false if the account has none of this name. */
  async removeSecret(accountId: string, name: string): Promise<boolean> {
    const { deletedCount } = await this.#secrets.deleteOne({ _id: exactly(idOf(accountId, name)) });
    return deletedCount > 0;
  }
}

function idOf(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}

function toStored({ _id, accountId: _accountId, ...rest }: SecretDocument): StoredSecret {
  return rest;
}
