import { Type } from '../type.ts';
import { ChannelPatchSchema, ChannelSchema, CreateChannelRequestSchema } from '../webhooks/channel.ts';
import { DeliverySchema } from '../webhooks/delivery.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of channels, by which rules of schedules tell people. */
export const CHANNEL_ROUTES = {
  createChannel: {
    method: 'post',
    path: '/v1/channels',
    summary: 'Create a channel by which rules of schedules tell you',
    description:
      'Addresses that hold a secret are stored encrypted, and no response has them whole. Send a test before a rule depends on it.',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'create',
    body: CreateChannelRequestSchema,
    bodyExample: { type: 'webhook', name: 'Buyers', url: 'https://example.com/webhook' },
    moreExamples: {
      ntfy: {
        summary: 'ntfy',
        value: { type: 'ntfy', name: 'Phone', topic: 'prices-of-ann' },
      },
    },
    status: 201,
    response: succeeded({ channel: ChannelSchema }),
    responseHeaders: ['Location'],
    errors: ['INVALID_URL'],
  },
  listChannels: {
    method: 'get',
    path: '/v1/channels',
    summary: 'List the channels of the account by name',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ channels: Type.Array(ChannelSchema) }),
    errors: [],
  },
  getChannel: {
    method: 'get',
    path: '/v1/channels/{id}',
    summary: 'Get a channel',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ channel: ChannelSchema }),
    errors: ['CHANNEL_NOT_FOUND'],
  },
  updateChannel: {
    method: 'patch',
    path: '/v1/channels/{id}',
    summary: 'Change the name or the address of a channel',
    description: 'What is given replaces what was, the rest stays. Messages that wait go to the new address.',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'create',
    body: ChannelPatchSchema,
    bodyExample: { name: 'Purchasing' },
    status: 200,
    response: succeeded({ channel: ChannelSchema }),
    errors: ['CHANNEL_NOT_FOUND', 'INVALID_URL'],
  },
  testChannel: {
    method: 'post',
    path: '/v1/channels/{id}/test',
    summary: 'Send a test message and wait for its outcome',
    description:
      'One attempt, whose outcome is in `delivery`; the call succeeds also when the message is rejected.',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ delivery: DeliverySchema }),
    errors: ['CHANNEL_NOT_FOUND'],
  },
  deleteChannel: {
    method: 'delete',
    path: '/v1/channels/{id}',
    summary: 'Delete a channel',
    description: 'Messages that wait for it fail; rules that name it go on with their other channels.',
    tag: 'Channels',
    scope: 'webhooks',
    rateLimit: 'create',
    status: 204,
    errors: ['CHANNEL_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
