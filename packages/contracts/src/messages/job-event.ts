import { type Static, Type } from 'typebox';
import { OneOf, Timestamp } from '../schema/map-of.ts';

/** What happens to a job, as it is announced; the job itself is read from the database. */
export const JOB_EVENT_TYPES = [
  'job.started',
  'job.completed',
  'job.partial',
  'job.failed',
  'job.cancelled',
] as const;
export type JobEventType = (typeof JOB_EVENT_TYPES)[number];

/** A job changed its state. The same event may come more than once; `id` tells. */
export const JobEventSchema = Type.Object(
  {
    id: Type.String({ description: 'evt_…, the same for every copy of one event.' }),
    type: OneOf(JOB_EVENT_TYPES),
    jobId: Type.String(),
    accountId: Type.String(),
    scheduleId: Type.Optional(Type.String()),
    at: Timestamp(),
  },
  { additionalProperties: false },
);
export type JobEvent = Static<typeof JobEventSchema>;
