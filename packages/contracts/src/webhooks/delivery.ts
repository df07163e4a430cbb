import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Timestamp } from '../schema/map-of.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook.ts';

/** What a delivery can be about: the events, and the one that only a test sends. */
export const DELIVERY_TYPES = [...WEBHOOK_EVENT_TYPES, 'webhook.test'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** `pending` goes on by itself; `gone` is an endpoint that answered 410; `failed` has used up its tries. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'gone'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One try at a delivery. */
export const DeliveryAttemptSchema = Type.Object(
  {
    at: Timestamp(),
    durationMs: Type.Integer({ minimum: 0 }),
    statusCode: Type.Optional(Type.Integer({ description: 'What the endpoint answered, if it did.' })),
    error: Type.Optional(Type.String({ description: 'Why the try does not count; missing when it does.' })),
    response: Type.Optional(Type.String({ description: 'How the body of a refusal begins.' })),
  },
  { additionalProperties: false },
);
export type DeliveryAttempt = Static<typeof DeliveryAttemptSchema>;

/** One event on its way to one endpoint, with every try. */
export const DeliverySchema = Type.Object(
  {
    id: Type.String({ examples: ['del_01jd8x0000000000000000000'] }),
    eventId: Type.String({ description: 'The `webhook-id` of every try.' }),
    type: OneOf(DELIVERY_TYPES),
    jobId: Type.Optional(Type.String()),
    scheduleId: Type.Optional(Type.String()),
    url: Type.String(),
    status: OneOf(DELIVERY_STATES),
    attempts: Type.Array(DeliveryAttemptSchema, { description: 'The latest tries, oldest first.' }),
    attemptCount: Type.Integer({ minimum: 0 }),
    nextAttemptAt: Nullable(Timestamp()),
    reason: Type.Optional(Type.String({ description: 'Why there are no more tries.' })),
    createdAt: Timestamp(),
    endedAt: Nullable(Timestamp()),
  },
  { additionalProperties: false },
);
export type Delivery = Static<typeof DeliverySchema>;
