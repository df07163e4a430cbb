import type { Static } from 'typebox';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook.ts';

/** Types of messages for channels: that a rule of a schedule matched, and a test. */
export const MESSAGE_TYPES = ['rule.matched', 'channel.test'] as const;

/** Type of the delivery that writes the results of a job to its sink. */
export const SINK_DELIVERY = 'sink.write';

/** Types of deliveries: the events, `webhook.test`, which only a test sends, messages for channels, and results for sinks. */
export const DELIVERY_TYPES = [
  ...WEBHOOK_EVENT_TYPES,
  'webhook.test',
  ...MESSAGE_TYPES,
  SINK_DELIVERY,
] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** `pending` has attempts left; `gone` means that the endpoint answered 410; `failed` has used all attempts. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'gone'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt at a delivery. */
export const DeliveryAttemptSchema = Type.Object(
  {
    at: Timestamp(),
    durationMs: Type.Integer({ minimum: 0 }),
    statusCode: Type.Optional(
      Type.Integer({
        description:
          'HTTP status of the endpoint, if it answered; of an email, the reply code of its server.',
      }),
    ),
    error: Type.Optional(
      Type.String({ description: 'Reason why the attempt failed; absent when it succeeded.' }),
    ),
    response: Type.Optional(
      Type.String({ description: 'Beginning of the response body of a failed attempt.' }),
    ),
  },
  { additionalProperties: false },
);

/** One event or message for one endpoint, with its attempts. */
export const DeliverySchema = Type.Object(
  {
    id: Type.String({ examples: ['del_01jd8x0000000000000000000'] }),
    eventId: Type.String({ description: 'The `webhook-id`, the same for every attempt.' }),
    type: OneOf(DELIVERY_TYPES),
    jobId: Type.Optional(Type.String()),
    scheduleId: Type.Optional(Type.String()),
    channelId: Type.Optional(Type.String({ description: 'The channel of a message.' })),
    batch: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The batch of results that a `job.pages` carries.' }),
    ),
    url: Type.String({
      description:
        'The endpoint; of a channel, its address as it is shown; of a sink, its name and the folder, as in `sink://lake/jobs/2026-11-28/job_01jd8x0000000000000000000/`.',
    }),
    status: OneOf(DELIVERY_STATES),
    attempts: Type.Array(DeliveryAttemptSchema, { description: 'The latest attempts, oldest first.' }),
    attemptCount: Type.Integer({ minimum: 0 }),
    nextAttemptAt: Nullable(Timestamp()),
    reason: Type.Optional(Type.String({ description: 'Reason why there are no more attempts.' })),
    createdAt: Timestamp(),
    endedAt: Nullable(Timestamp()),
  },
  { additionalProperties: false },
);
export type Delivery = Static<typeof DeliverySchema>;
