import { AppError, createId, type WebhookCommand, type WebhookReply } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from './delivery/announce-delivery.ts';
import { onTurn, type TurnDeps } from './delivery/on-turn.ts';
import { generateSecret } from './delivery/sign-message.ts';
import { renderChannelTest, renderTestEvent } from './events/render-event.ts';

/** Collaborators and settings of handling commands. */
export interface CommandDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries' | 'webhookSecrets' | 'channels'>;
  readonly sending: TurnDeps;
  readonly secretGraceMs: number;
  readonly retentionMs: number;
}

type Handler<Type extends WebhookCommand['type']> = (
  command: Extract<WebhookCommand, { type: Type }>,
  deps: CommandDeps,
) => Promise<WebhookReply>;

/** Carries out a command. Throws DELIVERY_NOT_FOUND and CHANNEL_NOT_FOUND. */
export function handleCommand(command: WebhookCommand, deps: CommandDeps): Promise<WebhookReply> {
  const handle = HANDLERS[command.type] as Handler<WebhookCommand['type']>;
  return handle(command, deps);
}

const HANDLERS: { readonly [Type in WebhookCommand['type']]: Handler<Type> } = {
  'ensure-secret': async ({ accountId }, { stores }) => {
    await stores.webhookSecrets.ensureSecret(accountId, generateSecret(), stores.clock.now());
    return {};
  },

  'rotate-secret': async ({ accountId }, { stores, secretGraceMs }) => {
    const now = stores.clock.now();
    const retiredUntil = new Date(now.getTime() + secretGraceMs);
    await stores.webhookSecrets.rotateSecret(accountId, { secret: generateSecret(), now, retiredUntil });
    return {};
  },

  redeliver: async ({ accountId, deliveryId }, deps) => {
    const delivery = await deps.stores.deliveries.restart(accountId, deliveryId, deps.stores.clock.now());
    if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
    await announceDelivery(delivery, deps);
    return { deliveryId };
  },

  test: async ({ accountId, url }, { stores, sending, retentionMs }) => {
    const createdAt = stores.clock.now();
    const eventId = createId('evt');
    const type = 'webhook.test';
    const { id: deliveryId } = await stores.deliveries.insertDelivery({
      id: createId('del'),
      accountId,
      eventId,
      type,
      url,
      body: renderTestEvent({ id: eventId, type, timestamp: createdAt.toISOString() }),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + retentionMs),
    });
    await onTurn({ deliveryId, attempt: 1, deferrals: 0 }, sending);
    return { deliveryId };
  },

  'test-channel': async ({ accountId, channelId }, { stores, sending, retentionMs }) => {
    const channel = await stores.channels.findChannel(accountId, channelId);
    if (!channel) throw new AppError('CHANNEL_NOT_FOUND');
    const createdAt = stores.clock.now();
    const eventId = createId('evt');
    const type = 'channel.test';
    const { id: deliveryId } = await stores.deliveries.insertDelivery({
      id: createId('del'),
      accountId,
      eventId,
      type,
      channelId,
      url: channel.address,
      body: renderChannelTest({ id: eventId, type, timestamp: createdAt.toISOString() }, channel.name),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + retentionMs),
    });
    await onTurn({ deliveryId, attempt: 1, deferrals: 0 }, sending);
    return { deliveryId };
  },
};
