import { type Static, Type } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { JOB_STATES } from '../jobs/job-states.ts';
import { Nullable, OneOf, Timestamp } from '../schema/map-of.ts';
import { SCHEDULE_SETTING_PROPERTIES } from './schedule-settings.ts';

/** Whether a schedule starts runs by itself. */
export const SCHEDULE_STATES = ['active', 'paused'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** How the last run stands: the state of its job, or `refused` where there is none; `lastError` says why. */
export const RUN_STATES = [...JOB_STATES, 'refused'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A schedule as it is shown. Options that are not set are left out. */
export const ScheduleSchema = Type.Object(
  {
    id: Type.String({ examples: ['sch_01jd8x0000000000000000000'] }),
    ...SCHEDULE_SETTING_PROPERTIES,
    status: OneOf(SCHEDULE_STATES),
    nextRunAt: Nullable(Timestamp({ description: 'Null while the schedule is paused.' })),
    lastRunAt: Nullable(Timestamp({ description: 'When the last run started, or was refused.' })),
    lastJobId: Nullable(Type.String({ description: 'The job of the last run.' })),
    lastStatus: Nullable(
      OneOf(RUN_STATES, { description: 'The state of that job; `refused` when none could be created.' }),
    ),
    lastError: Nullable(FailureSchema),
    runCount: Type.Integer({ minimum: 0, description: 'Runs that were started.' }),
    skippedCount: Type.Integer({
      minimum: 0,
      description: 'Runs left out because the one before had not ended, as `overlap` says.',
    }),
    lastSkippedAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
    updatedAt: Timestamp({ description: 'When settings or status last changed.' }),
  },
  { additionalProperties: false },
);
export type Schedule = Static<typeof ScheduleSchema>;
