import type { Static } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { PreviewQuerySchema } from '../schedules/preview.ts';
import { ScheduleSchema } from '../schedules/schedule.ts';
import { ScheduleSettingsSchema } from '../schedules/schedule-settings.ts';
import { Type } from '../type.ts';

const TARGET = {
  scheduleId: Type.String({ pattern: '^sch_' }),
  accountId: Type.String(),
};

/** Commands of the scheduler. Repeating a command has no further effect. */
export const ScheduleCommandSchema = Type.Union([
  Type.Object(
    { type: OneOf(['create']), ...TARGET, settings: ScheduleSettingsSchema },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: OneOf(['update']),
      ...TARGET,
      /** The complete new settings. */
      settings: ScheduleSettingsSchema,
      /** Revision of the record from which the settings were made. */
      revision: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: OneOf(['pause', 'resume', 'delete']), ...TARGET }, { additionalProperties: false }),
  Type.Object(
    {
      type: OneOf(['run']),
      ...TARGET,
      jobId: Type.String({ pattern: '^job_' }),
      /** The caller's Idempotency-Key. */
      idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    },
    { additionalProperties: false },
  ),
  /** A run is wanted by this time, unless a tick of then or later was claimed. */
  Type.Object({ type: OneOf(['hasten']), ...TARGET, at: Timestamp() }, { additionalProperties: false }),
  Type.Object({ type: OneOf(['preview']), timing: PreviewQuerySchema }, { additionalProperties: false }),
]);
export type ScheduleCommand = Static<typeof ScheduleCommandSchema>;

/** Command about one schedule. */
export type TargetedScheduleCommand = Exclude<ScheduleCommand, { type: 'preview' }>;

/** Outcome of a command; `stale` means that the record has another revision by now and was not changed. */
export const ScheduleReplySchema = Type.Union([
  Type.Object({ outcome: OneOf(['stored']), schedule: ScheduleSchema }, { additionalProperties: false }),
  Type.Object({ outcome: OneOf(['started']), job: JobSchema }, { additionalProperties: false }),
  Type.Object(
    { outcome: OneOf(['previewed']), timezone: Type.String(), runs: Type.Array(Timestamp()) },
    { additionalProperties: false },
  ),
  Type.Object({ outcome: OneOf(['deleted', 'stale', 'hastened']) }, { additionalProperties: false }),
]);
export type ScheduleReply = Static<typeof ScheduleReplySchema>;
