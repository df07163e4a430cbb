import { type Static, Type } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { ScheduleSchema } from '../schedules/schedule.ts';
import { ScheduleSettingsSchema } from '../schedules/schedule-settings.ts';
import { OneOf } from '../schema/map-of.ts';

const TARGET = {
  scheduleId: Type.String({ pattern: '^sch_' }),
  accountId: Type.String(),
};

/** What the scheduler can be told; each may be said again without another effect. */
export const ScheduleCommandSchema = Type.Union([
  Type.Object(
    { type: OneOf(['create']), ...TARGET, settings: ScheduleSettingsSchema },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: OneOf(['update']),
      ...TARGET,
      /** All of them, as they shall be. */
      settings: ScheduleSettingsSchema,
      /** Of the record that they were made from. */
      revision: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ type: OneOf(['pause', 'resume', 'delete']), ...TARGET }, { additionalProperties: false }),
  Type.Object(
    { type: OneOf(['run']), ...TARGET, jobId: Type.String({ pattern: '^job_' }) },
    { additionalProperties: false },
  ),
]);
export type ScheduleCommand = Static<typeof ScheduleCommandSchema>;

/** What came of a command; `stale`: the record has another revision by now, so nothing was changed. */
export const ScheduleReplySchema = Type.Union([
  Type.Object({ outcome: OneOf(['stored']), schedule: ScheduleSchema }, { additionalProperties: false }),
  Type.Object({ outcome: OneOf(['started']), job: JobSchema }, { additionalProperties: false }),
  Type.Object({ outcome: OneOf(['deleted', 'stale']) }, { additionalProperties: false }),
]);
export type ScheduleReply = Static<typeof ScheduleReplySchema>;
