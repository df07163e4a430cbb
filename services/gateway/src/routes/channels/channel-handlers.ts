import {
  AppError,
  type Channel,
  type ChannelTarget,
  type ChannelType,
  channelPurpose,
  createId,
  LIMITS,
} from '@gleaner/contracts';
import type { CommandDeps, SecretBox } from '@gleaner/service-kit';
import type { ChannelSettings, StoredChannel, Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { JsonWithHeaders } from '../../responses/responses.ts';
import { describeDelivery } from '../account/webhook-handlers.ts';
import { commandNotifier } from '../commands.ts';
import type { Handlers } from '../handler.ts';
import {
  type ChannelRules,
  checkTarget,
  isSealed,
  mergeTarget,
  shownAddress,
  targetOf,
} from './check-channel.ts';

/** Collaborators of the handlers. */
export interface ChannelDeps extends CommandDeps, Pick<Stores, 'clock' | 'channels' | 'deliveries'> {
  readonly rules: ChannelRules;
  /** Undefined if the operator has set no SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
}

type ChannelRoute =
  | 'createChannel'
  | 'listChannels'
  | 'getChannel'
  | 'updateChannel'
  | 'deleteChannel'
  | 'testChannel';

/** Handlers of the channel routes. Tests are commands for the notifier. */
export const channelHandlers: Handlers<ChannelRoute, ChannelDeps> = {
  async createChannel({ caller, body: { type, name, ...given } }, deps) {
    const target = targetOf(given);
    checkTarget(type, target, deps.rules);
    const accountId = caller.account.id;
    const known = await deps.channels.listChannels(accountId);
    if (known.length >= LIMITS.maxChannelsPerAccount) throw tooManyChannels();
    const id = createId('chn');
    const now = deps.clock.now();
    const channel: StoredChannel = {
      id,
      accountId,
      type,
      ...settingsOf({ id, accountId, type, name }, target, deps),
      status: 'active',
      createdAt: now,
      updatedAt: now,
    };
    await deps.channels.insertChannel(channel);
    return new JsonWithHeaders(
      { success: true, channel: describeChannel(channel) },
      { Location: `/v1/channels/${id}` },
    );
  },

  async listChannels({ caller }, { channels }) {
    const found = await channels.listChannels(caller.account.id);
    return { success: true, channels: found.map(describeChannel) };
  },

  async getChannel({ caller, params }, deps) {
    return { success: true, channel: describeChannel(await findChannel(caller, params.id, deps)) };
  },

  async updateChannel({ caller, params, body: { name: given, ...fields } }, deps) {
    const channel = await findChannel(caller, params.id, deps);
    const { id, accountId, type, name } = channel;
    const target = mergeTarget(readTarget(channel, fields, deps), targetOf(fields));
    checkTarget(type, target, deps.rules);
    const settings = settingsOf({ id, accountId, type, name: given ?? name }, target, deps);
    const changed = await deps.channels.replaceChannel(accountId, id, settings, deps.clock.now());
    if (!changed) throw new AppError('CHANNEL_NOT_FOUND');
    return { success: true, channel: describeChannel(changed) };
  },

  async deleteChannel({ caller, params: { id = '' } }, { channels }) {
    if (!(await channels.removeChannel(caller.account.id, id))) throw new AppError('CHANNEL_NOT_FOUND');
    return undefined;
  },

  async testChannel({ caller, params, signal }, deps) {
    const { id: channelId, accountId } = await findChannel(caller, params.id, deps);
    const reply = await commandNotifier({ type: 'test-channel', accountId, channelId }, deps, signal);
    const delivery = await deps.deliveries.findDelivery(accountId, reply.deliveryId ?? '');
    if (!delivery) throw new AppError('DELIVERY_NOT_FOUND');
    return { success: true, delivery: describeDelivery(delivery) };
  },
};

async function findChannel(
  { account }: Caller,
  id: string | undefined,
  { channels }: Pick<ChannelDeps, 'channels'>,
): Promise<StoredChannel> {
  const channel = await channels.findChannel(account.id, id ?? '');
  if (!channel) throw new AppError('CHANNEL_NOT_FOUND');
  return channel;
}

/** Returns the settings of a channel as they are stored. Throws INVALID_REQUEST without a key for its secret. */
function settingsOf(
  { id, accountId, type, name }: Pick<StoredChannel, 'id' | 'accountId' | 'type' | 'name'>,
  target: ChannelTarget,
  { secretBox }: Pick<ChannelDeps, 'secretBox'>,
): ChannelSettings {
  const address = shownAddress(type, target);
  const json = JSON.stringify(target);
  if (!isSealed(type)) return { name, address, targetJson: json };
  if (!secretBox) throw noKey(type);
  return { name, address, sealed: secretBox.seal(channelPurpose(accountId, id), json) };
}

/** Returns the address of a channel; with a key that does not open it, the caller gives all required fields again. */
function readTarget(
  { id, accountId, sealed, targetJson }: StoredChannel,
  given: ChannelTarget,
  { secretBox }: Pick<ChannelDeps, 'secretBox'>,
): ChannelTarget {
  const json = sealed === undefined ? targetJson : secretBox?.open(channelPurpose(accountId, id), sealed);
  return json === undefined ? given : (JSON.parse(json) as ChannelTarget);
}

/** Returns a channel as the API shows it. */
function describeChannel(channel: StoredChannel): Channel {
  const { id, type, name, address, status, createdAt, updatedAt } = channel;
  return {
    id,
    type,
    name,
    address,
    status,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function noKey(type: ChannelType): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `This service stores no address of the type "${type}", because it has no key to encrypt it with.`,
    suggestion: 'Ask the operator to set SECRETS_KEY for the gateway, the scrapers and the webhook-notifier.',
  });
}

function tooManyChannels(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxChannelsPerAccount} channels, which is the most that it may have.`,
    suggestion: 'Delete channels that are no longer needed: DELETE /v1/channels/:id.',
  });
}
