import { Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Nullable, Timestamp } from '../schema/map-of.ts';
import { DeliverySchema } from '../webhooks/delivery.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

const SecretResponse = succeeded({
  secret: Type.String({ description: 'Standard Webhooks form.', examples: ['whsec_…'] }),
  createdAt: Timestamp(),
  previousValidUntil: Nullable(
    Timestamp({ description: 'Until then every delivery is signed with the secret before, too.' }),
  ),
});

/** What an account's webhooks are signed with, and what became of every delivery. */
export const WEBHOOK_ROUTES = {
  getWebhookSecret: {
    method: 'get',
    path: '/v1/webhooks/secret',
    summary: 'The secret that deliveries are signed with',
    description: 'One for the whole account; made when it is first asked for or needed.',
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
    description: 'For 24 hours deliveries carry a signature by the new secret and one by the old.',
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
    summary: 'Deliveries with all their tries, newest first',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'read',
    query: Type.Object(
      {
        jobId: Type.Optional(Type.String({ description: 'Only those about this job.' })),
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
      'Whatever became of it; its tries begin anew. One that is being sent right now stays as it is.',
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
    summary: 'Send a signed test event to a URL and wait for what it answers',
    description: 'One try. `delivery` says how it went; that the endpoint refuses is no error of this call.',
    tag: 'Webhooks',
    scope: 'webhooks',
    rateLimit: 'create',
    body: Type.Object(
      { url: Type.String({ maxLength: LIMITS.maxUrlLength }) },
      { additionalProperties: false },
    ),
    status: 200,
    response: succeeded({ delivery: DeliverySchema }),
    errors: ['INVALID_URL'],
  },
} as const satisfies Record<string, RouteDefinition>;
