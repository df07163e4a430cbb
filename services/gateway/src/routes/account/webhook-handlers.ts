import { AppError, type Delivery, defined, LIMITS } from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import { type StoredDelivery, type StoredWebhookSecret, type Stores, validRetired } from '@gleaner/storage';
import { findUrlError, requireValidUrls, type UrlRules } from '../check-urls.ts';
import { commandNotifier } from '../commands.ts';
import type { Handlers } from '../handler.ts';
import { paginate } from '../paginate.ts';

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

/** Handlers of the webhook routes. Commands go to the notifier, everything else is read from the database. */
export const webhookHandlers: Handlers<WebhookRoute, WebhookDeps> = {
  async getWebhookSecret({ caller, signal }, deps) {
    const accountId = caller.account.id;
    const known = await deps.webhookSecrets.findSecret(accountId);
    if (known) return describeSecret(known, deps.clock.now());
    await commandNotifier({ type: 'ensure-secret', accountId }, deps, signal);
    return describeSecret(await findSecret(accountId, deps), deps.clock.now());
  },

  async rotateWebhookSecret({ caller, signal }, deps) {
    const accountId = caller.account.id;
    await commandNotifier({ type: 'rotate-secret', accountId }, deps, signal);
    return describeSecret(await findSecret(accountId, deps), deps.clock.now());
  },

  async listWebhookDeliveries({ caller, query }, { deliveries }) {
    const { jobId, channelId, status, limit = LIMITS.defaultPageSize, offset = 0 } = query;
    const page = await deliveries.listDeliveries(caller.account.id, {
      jobId,
      channelId,
      status,
      limit,
      offset,
    });
    const pagination = paginate({ limit, offset }, { count: page.deliveries.length, total: page.total });
    return { success: true, deliveries: page.deliveries.map(describeDelivery), pagination };
  },

  async redeliverWebhook({ caller, params: { id = '' }, signal }, deps) {
    const accountId = caller.account.id;
    await findDelivery(accountId, id, deps);
    await commandNotifier({ type: 'redeliver', accountId, deliveryId: id }, deps, signal);
    return { success: true, delivery: describeDelivery(await findDelivery(accountId, id, deps)) };
  },

  async testWebhook({ caller, body: { url }, signal }, deps) {
    requireValidUrls(findUrlError('url', url, deps.rules));
    const accountId = caller.account.id;
    const { deliveryId } = await commandNotifier({ type: 'test', accountId, url }, deps, signal);
    return { success: true, delivery: describeDelivery(await findDelivery(accountId, deliveryId, deps)) };
  },
};

async function findDelivery(
  accountId: string,
  id: string | undefined,
  { deliveries }: WebhookDeps,
): Promise<StoredDelivery> {
  const delivery = await deliveries.findDelivery(accountId, id ?? '');
  if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
  return delivery;
}

async function findSecret(accountId: string, { webhookSecrets }: WebhookDeps): Promise<StoredWebhookSecret> {
  const secret = await webhookSecrets.findSecret(accountId);
  if (!secret) throw new Error('The notifier confirmed a webhook secret that is not stored.');
  return secret;
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
export function describeDelivery(delivery: StoredDelivery): Delivery {
  const { id, eventId, type, jobId, scheduleId, channelId, batch, url, status, attemptCount, reason } =
    delivery;
  return {
    id,
    eventId,
    type,
    ...(jobId && { jobId }),
    ...(scheduleId && { scheduleId }),
    ...defined({ channelId, batch }),
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
