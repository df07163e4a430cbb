import type { Model } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema, exactly } from '../document-schema.ts';

/** Replaced secret, with which deliveries are still signed until a time. */
interface RetiredSecret {
  readonly secret: string;
  readonly until: Date;
}

/** Signing secret of the webhooks of an account, stored in plain text, since a hash cannot sign. */
export interface WebhookSecretDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly secret: string;
  readonly createdAt: Date;
  readonly retired: RetiredSecret[];
}

export const webhookSecretSchema = documentSchema<WebhookSecretDocument>({
  _id: { type: String, required: true },
  secret: { type: String, required: true },
  createdAt: { type: Date, required: true },
  retired: [{ _id: false, secret: String, until: Date }],
});

/** Secret of an account and the secrets it replaced. */
export type StoredWebhookSecret = Omit<WebhookSecretDocument, '_id'>;

/** Replacement of a secret, and the time until which the old one still signs. */
export interface SecretRotation {
  readonly secret: string;
  readonly now: Date;
  readonly retiredUntil: Date;
}

/** Few, since receivers compare a delivery with every signature that it carries. */
const MAX_RETIRED = 3;

/** Store of webhook signing secrets; only the webhook-notifier writes it. */
export class WebhookSecretStore {
  readonly #secrets: Model<WebhookSecretDocument>;

  constructor(secrets: Model<WebhookSecretDocument>) {
    this.#secrets = secrets;
  }

  /** Returns the account's secret, or null if it has none. */
  async findSecret(accountId: string): Promise<StoredWebhookSecret | null> {
    const document = await this.#secrets.findOne({ _id: exactly(accountId) }).lean();
    return document && toStored(document);
  }

  /** Stores this secret unless the account has one already; returns the account's secret. */
  async ensureSecret(accountId: string, secret: string, now: Date): Promise<StoredWebhookSecret> {
    const fresh = { _id: accountId, secret, createdAt: now, retired: [] };
    try {
      await this.#secrets.create(fresh);
      return toStored(fresh);
    } catch (error) {
      const earlier = isDuplicateKey(error) ? await this.#secrets.findOne({ _id: accountId }).lean() : null;
      if (!earlier) throw error;
      await confirmWrites(this.#secrets.db);
      return toStored(earlier);
    }
  }

  /** Replaces the secret, or stores the first one of the account. */
  async rotateSecret(accountId: string, { secret, now, retiredUntil }: SecretRotation): Promise<void> {
    const retiring = { secret: '$secret', until: retiredUntil };
    const known = { $ifNull: ['$retired', []] };
    await this.#secrets.updateOne(
      { _id: accountId },
      [
        {
          $set: {
            retired: {
              $cond: [
                { $eq: [{ $type: '$secret' }, 'string'] },
                { $slice: [{ $concatArrays: [[retiring], known] }, MAX_RETIRED] },
                known,
              ],
            },
            secret: { $literal: secret },
            createdAt: now,
          },
        },
      ],
      { upsert: true, updatePipeline: true },
    );
  }
}

/** Returns the retired secrets that still sign. */
export function validRetired({ retired }: StoredWebhookSecret, now: Date): RetiredSecret[] {
  return retired.filter(({ until }) => until > now);
}

function toStored({ _id, ...rest }: WebhookSecretDocument): StoredWebhookSecret {
  return rest;
}
