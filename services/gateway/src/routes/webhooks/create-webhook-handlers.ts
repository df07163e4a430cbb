import { AppError, type Delivery, LIMITS } from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import { type StoredDelivery, type StoredWebhookSecret, type Stores, validRetired } from '@gleaner/storage';
import { findUrlError, requireValidUrls, type UrlRules } from '../check-urls.ts';
import { commandNotifier } from '../commands.ts';
import type { Handlers } from '../handler.ts';

/** Collaborators of the handlers. */
export interface WebhookDeps extends CommandDeps, Pick<Stores, 'clock' | 'deliveries' | 'webhookSecrets'> {
  readonly rules: UrlRules;
}

type WebhookRoute =
  | 'getWebhookSecret'
  | 'rotateWebhookSecret'
  | 'listWebhookDeliveries'
  | 'redeliverWebhook'
  | 'testWebhook';

/** Creates the handlers of the webhook routes. Commands go to the notifier, everything else is read from the database. */
export function createWebhookHandlers(deps: WebhookDeps): Pick<Handlers, WebhookRoute> {
  const { clock, deliveries, webhookSecrets, rules } = deps;

  async function findDelivery(accountId: string, id = ''): Promise<StoredDelivery> {
    const delivery = await deliveries.findDelivery(accountId, id);
    if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
    return delivery;
  }

  async function findSecret(accountId: string): Promise<StoredWebhookSecret> {
    const secret = await webhookSecrets.findSecret(accountId);
    if (!secret) throw new Error('The notifier confirmed a webhook secret that is not stored.');
    return secret;
  }

  return {
    async getWebhookSecret({ caller, signal }) {
      const accountId = caller.account.id;
      const known = await webhookSecrets.findSecret(accountId);
      if (known) return describeSecret(known, clock.now());
      await commandNotifier({ type: 'ensure-secret', accountId }, deps, signal);
      return describeSecret(await findSecret(accountId), clock.now());
    },

    async rotateWebhookSecret({ caller, signal }) {
      const accountId = caller.account.id;
      await commandNotifier({ type: 'rotate-secret', accountId }, deps, signal);
      return describeSecret(await findSecret(accountId), clock.now());
    },

    async listWebhookDeliveries({ caller, query }) {
      const { jobId, status, limit = LIMITS.defaultPageSize, offset = 0 } = query;
      const page = await deliveries.listDeliveries(caller.account.id, { jobId, status, limit, offset });
      const hasMore = offset + page.deliveries.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, deliveries: page.deliveries.map(describeDelivery), pagination };
    },

    async redeliverWebhook({ caller, params: { id = '' }, signal }) {
      const accountId = caller.account.id;
      await findDelivery(accountId, id);
      await commandNotifier({ type: 'redeliver', accountId, deliveryId: id }, deps, signal);
      return { success: true, delivery: describeDelivery(await findDelivery(accountId, id)) };
    },

    async testWebhook({ caller, body: { url }, signal }) {
      requireValidUrls(findUrlError('url', url, rules));
      const accountId = caller.account.id;
      const { deliveryId } = await commandNotifier({ type: 'test', accountId, url }, deps, signal);
      return { success: true, delivery: describeDelivery(await findDelivery(accountId, deliveryId)) };
    },
  };
}

function describeSecret(stored: StoredWebhookSecret, now: Date) {
  const [latest] = validRetired(stored, now);
  return {
    success: true as const,
    secret: stored.secret,
    createdAt: stored.createdAt.toISOString(),
    previousValidUntil: latest?.until.toISOString() ?? null,
  };
}

/** Returns a delivery as callers see it. */
function describeDelivery(delivery: StoredDelivery): Delivery {
  const { id, eventId, type, jobId, scheduleId, batch, url, status, attemptCount, reason } = delivery;
  return {
    id,
    eventId,
    type,
    ...(jobId && { jobId }),
    ...(scheduleId && { scheduleId }),
    ...(batch !== undefined && { batch }),
    url,
    status,
    attempts: delivery.attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
    attemptCount,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    ...(reason && { reason }),
    createdAt: delivery.createdAt.toISOString(),
    endedAt: delivery.endedAt?.toISOString() ?? null,
  };
}
