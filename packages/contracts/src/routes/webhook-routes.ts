import { LIMITS } from '../limits.ts';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { DELIVERY_STATES, DeliverySchema } from '../webhooks/delivery.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

const SecretResponse = succeeded({
  secret: Type.String({ description: 'Secret in the form of Standard Webhooks.', examples: ['whsec_…'] }),
  createdAt: Timestamp(),
  previousValidUntil: Nullable(
    Timestamp({ description: 'Until this time, deliveries are also signed with the previous secret.' }),
  ),
});

/** Routes of the signing secret and of the deliveries. */
export const WEBHOOK_ROUTES = {
  getWebhookSecret: {
    method: 'get',
    path: '/v1/webhooks/secret',
    summary: 'Get the secret that signs deliveries',
    description: 'One secret for the whole account, created at its first use.',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'read',
    status: 200,
    response: SecretResponse,
    errors: [],
  },
  rotateWebhookSecret: {
    method: 'post',
    path: '/v1/webhooks/secret/rotate',
    summary: 'Replace the secret',
    description: 'For 24 hours, deliveries are signed with both the new and the old secret.',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'create',
    status: 200,
    response: SecretResponse,
    errors: [],
  },
  listWebhookDeliveries: {
    method: 'get',
    path: '/v1/webhooks/deliveries',
    summary: 'List deliveries with their attempts, newest first',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'read',
    query: Type.Object(
      {
        jobId: Type.Optional(Type.String({ description: 'Only deliveries about this job.' })),
        channelId: Type.Optional(Type.String({ description: 'Only messages for this channel.' })),
        status: Type.Optional(OneOf(DELIVERY_STATES, { description: 'Only deliveries in this state.' })),
        ...PAGE_QUERY_PROPERTIES,
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: paginated('deliveries', DeliverySchema),
    errors: [],
  },
  redeliverWebhook: {
    method: 'post',
    path: '/v1/webhooks/deliveries/{id}/redeliver',
    summary: 'Send a delivery again, under the same webhook-id',
    description:
      'Works in every state and restarts the attempts. A delivery that is being sent right now is left as it is.',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'create',
    status: 202,
    response: succeeded({ delivery: DeliverySchema }),
    errors: ['DELIVERY_NOT_FOUND'],
  },
  testWebhook: {
    method: 'post',
    path: '/v1/webhooks/test',
    summary: 'Send a signed test event to a URL and wait for its response',
    description:
      'One attempt, whose outcome is in `delivery`; the call succeeds also when the endpoint rejects the event.',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'create',
    body: Type.Object(
      {
        url: Type.String({
          maxLength: LIMITS.maxUrlLength,
          description: 'The endpoint: an absolute http or https URL.',
        }),
      },
      { additionalProperties: false },
    ),
    bodyExample: { url: 'https://example.com/webhook' },
    status: 200,
    response: succeeded({ delivery: DeliverySchema }),
    errors: ['INVALID_URL'],
  },
} as const satisfies Record<string, RouteDefinition>;
