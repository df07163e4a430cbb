import { confirmWrites } from '../database/confirm-writes.ts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { driverCollection } from '../models.ts';
import type { RetiredSecret, WebhookSecretDocument } from './webhook-secret-model.ts';

/** Secret of an account, and those that it replaced. */
export type StoredWebhookSecret = Omit<WebhookSecretDocument, '_id'>;

/** Replacement of a secret, and the time until which the old one still signs. */
export interface SecretRotation {
  readonly secret: string;
  readonly now: Date;
  readonly retiredUntil: Date;
}

export type WebhookSecretStore = ReturnType<typeof createWebhookSecretStore>;

/** Few, since receivers compare a delivery with every signature that it carries. */
const MAX_RETIRED = 3;

/** Creates the store of webhook signing secrets; only the webhook-notifier writes it. */
export function createWebhookSecretStore({ models }: Pick<Database, 'models'>) {
  const secrets = driverCollection(models.webhookSecrets);

  return guarded({
    /** Returns the account's secret, or null if it has none. */
    async findSecret(accountId: string): Promise<StoredWebhookSecret | null> {
      const document = await secrets.findOne({ _id: { $eq: accountId } });
      return document && toStored(document);
    },

    /** Stores this secret unless the account has one already; returns the account's secret. */
    async ensureSecret(accountId: string, secret: string, now: Date): Promise<StoredWebhookSecret> {
      const fresh = { _id: accountId, secret, createdAt: now, retired: [] };
      try {
        await secrets.insertOne(fresh);
        return toStored(fresh);
      } catch (error) {
        const earlier = isDuplicateKey(error) ? await secrets.findOne({ _id: accountId }) : null;
        if (!earlier) throw error;
        await confirmWrites(models);
        return toStored(earlier);
      }
    },

    /** Replaces the secret, or stores the first one of the account. */
    async rotateSecret(accountId: string, { secret, now, retiredUntil }: SecretRotation): Promise<void> {
      const retiring = { secret: '$secret', until: retiredUntil };
      const known = { $ifNull: ['$retired', []] };
      await secrets.updateOne(
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
        { upsert: true },
      );
    },
  });
}

/** Returns the retired secrets that still sign. */
export function validRetired({ retired }: StoredWebhookSecret, now: Date): RetiredSecret[] {
  return retired.filter(({ until }) => until > now);
}

function toStored({ _id, ...rest }: WebhookSecretDocument): StoredWebhookSecret {
  return rest;
}
