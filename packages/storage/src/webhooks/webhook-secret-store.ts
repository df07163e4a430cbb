import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { RetiredSecret, WebhookSecretDocument } from './webhook-secret-model.ts';

/** An account's secret, and those that it replaced. */
export type StoredWebhookSecret = Omit<WebhookSecretDocument, '_id'>;

/** What a secret is replaced with, and until when the old one still signs. */
export interface SecretRotation {
  readonly secret: string;
  readonly now: Date;
  readonly retiredUntil: Date;
}

export type WebhookSecretStore = ReturnType<typeof createWebhookSecretStore>;

/** Receivers compare a delivery with every signature that it carries, so there are not many. */
const MAX_RETIRED = 3;

/** The secrets that webhooks are signed with; written by the webhook-notifier alone. */
export function createWebhookSecretStore({ models }: Pick<Database, 'models'>) {
  const secrets = driverCollection(models.webhookSecrets);

  return guarded({
    /** The account's secret, or null while it has none. */
    async findSecret(accountId: string): Promise<StoredWebhookSecret | null> {
      const document = await secrets.findOne({ _id: { $eq: accountId } });
      return document && toStored(document);
    },

    /** The account's secret: this one, unless it has one already. */
    async ensureSecret(accountId: string, secret: string, now: Date): Promise<StoredWebhookSecret> {
      const fresh = { _id: accountId, secret, createdAt: now, retired: [] };
      try {
        await secrets.insertOne(fresh);
        return toStored(fresh);
      } catch (error) {
        const earlier = isDuplicateKey(error) ? await secrets.findOne({ _id: accountId }) : null;
        if (!earlier) throw error;
        return toStored(earlier);
      }
    },

    /** Replaces the secret; the account gets this one where it had none. */
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

/** The retired secrets that still sign. */
export function validRetired({ retired }: StoredWebhookSecret, now: Date): RetiredSecret[] {
  return retired.filter(({ until }) => until > now);
}

function toStored({ _id, ...rest }: WebhookSecretDocument): StoredWebhookSecret {
  return rest;
}
