import type { Static } from 'typebox';
import { CrawlChangesSchema } from '../crawl/crawl-changes.ts';
import { FailureSchema } from '../errors/failure.ts';
import { JOB_STATES } from '../jobs/job-states.ts';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { SelectorMapSchema } from '../scrape/selectors.ts';
import { Type } from '../type.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';
import { Health } from './health.ts';
import { SCHEDULE_SETTING_PROPERTIES } from './schedule-settings.ts';

/** States of a schedule; only an active one starts runs by itself. */
export const SCHEDULE_STATES = ['active', 'paused'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** State of the last run: that of its job, or `refused` when no job could be created; `lastError` has the reason. */
export const RUN_STATES = [...JOB_STATES, 'refused'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A schedule as it is shown. `selectors` and `webhook` are null when they are not set; other unset options are left out. */
export const ScheduleSchema = Type.Object(
  {
    id: Type.String({ examples: ['sch_01jd8x0000000000000000000'] }),
    ...SCHEDULE_SETTING_PROPERTIES,
    selectors: Nullable(SelectorMapSchema),
    webhook: Nullable(WebhookSchema),
    status: OneOf(SCHEDULE_STATES),
    health: Health,
    nextRunAt: Nullable(Timestamp({ description: 'Null while the schedule is paused.' })),
    lastRunAt: Nullable(Timestamp({ description: 'Time at which the last run started or was refused.' })),
    lastJobId: Nullable(Type.String({ description: 'The job of the last run.' })),
    lastStatus: Nullable(
      OneOf(RUN_STATES, { description: 'The state of that job; `refused` when none could be created.' }),
    ),
    lastError: Nullable(FailureSchema),
    lastChanges: Nullable(CrawlChangesSchema, {
      description: 'The changes that the last finished run of a crawl with `changes` found.',
    }),
    runCount: Type.Integer({ minimum: 0, description: 'Number of runs that were started.' }),
    skippedCount: Type.Integer({
      minimum: 0,
      description: 'Number of runs left out because the one before had not finished (see `overlap`).',
    }),
    lastSkippedAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
    updatedAt: Timestamp({ description: 'Time of the last change of settings or status.' }),
  },
  { additionalProperties: false },
);
export type Schedule = Static<typeof ScheduleSchema>;
