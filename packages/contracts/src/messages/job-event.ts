import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { JOB_EVENT_TYPES } from '../webhooks/webhook.ts';

/** Announces that a job changed its state, or has further results. An event may arrive more than once, with the same `id`. */
export const JobEventSchema = Type.Object(
  {
    id: Type.String({ description: 'evt_…, the same for every copy of one event.' }),
    type: OneOf(JOB_EVENT_TYPES),
    jobId: Type.String(),
    accountId: Type.String(),
    scheduleId: Type.Optional(Type.String()),
    batch: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The batch of results that a `job.pages` is about.' }),
    ),
    at: Timestamp(),
  },
  { additionalProperties: false },
);
export type JobEvent = Static<typeof JobEventSchema>;
