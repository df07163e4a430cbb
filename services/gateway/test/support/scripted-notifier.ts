import type { Broker } from '@gleaner/broker';
import { AppError, createId, type WebhookCommand, type WebhookReply } from '@gleaner/contracts';
import type { StoredDelivery, Stores } from '@gleaner/storage';
import { untilReady } from '@gleaner/test-kit';

/** Starts a notifier on the real broker and database that sends nothing; each secret that it creates is different. */
export async function startScriptedNotifier(
  broker: Broker,
  stores: Stores,
): Promise<{ readonly commands: WebhookCommand[] }> {
  const commands: WebhookCommand[] = [];
  const secret = () =>
    `whsec_${Buffer.from(`secret number ${commands.length}, long enough`).toString('base64')}`;

  async function obey(command: WebhookCommand): Promise<WebhookReply> {
    commands.push(command);
    const { accountId } = command;
    const now = new Date();
    const retiredUntil = new Date(now.getTime() + 3_600_000);
    switch (command.type) {
      case 'ensure-secret':
        await stores.webhookSecrets.ensureSecret(accountId, secret(), now);
        return {};
      case 'rotate-secret':
        await stores.webhookSecrets.rotateSecret(accountId, { secret: secret(), now, retiredUntil });
        return {};
      case 'redeliver':
        if (await stores.deliveries.restart(accountId, command.deliveryId, now)) return {};
        throw new AppError('DELIVERY_NOT_FOUND');
      case 'test':
        return { deliveryId: (await seedDelivery(stores, accountId, { url: command.url })).id };
      case 'test-channel':
        return { deliveryId: (await seedDelivery(stores, accountId, { channelId: command.channelId })).id };
    }
  }

  broker.respond('webhooks.commands', ({ body }) => obey(body), { concurrency: 10 });
  await untilReady(broker);
  return { commands };
}

/** Stores a delivery that failed at its first attempt. */
export async function seedDelivery(
  { deliveries }: Stores,
  accountId: string,
  about: { readonly url?: string; readonly jobId?: string; readonly channelId?: string } = {},
): Promise<StoredDelivery> {
  const now = new Date();
  const { id } = await deliveries.insertDelivery({
    id: createId('del'),
    accountId,
    eventId: createId('evt'),
    type: 'job.completed',
    url: 'https://example.com/hook',
    ...about,
    body: '{"what is sent":"stays inside"}',
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  });
  const claimed = await deliveries.claim({
    id,
    attempt: 1,
    now,
    leasedUntil: new Date(now.getTime() + 1000),
  });
  if (!claimed) throw new Error('It could not be claimed.');
  const attempt = { at: now, durationMs: 12, statusCode: 500, error: 'The endpoint answered 500.' };
  await deliveries.recordAttempt(claimed, attempt, { status: 'failed', reason: 'All 8 attempts failed.' });
  const stored = await deliveries.readDelivery(id);
  if (!stored) throw new Error('It was not stored.');
  return stored;
}
