import { JobSchema } from '../jobs/job.ts';
import { OneOf } from '../map-of.ts';
import { AcceptSuggestionsSchema, HealthQuerySchema, ScheduleHealthSchema } from '../schedules/health.ts';
import { RuleReportSchema } from '../schedules/notify.ts';
import { PreviewQuerySchema, PreviewSchema } from '../schedules/preview.ts';
import { RunChangesSchema, RunSchema } from '../schedules/run.ts';
import { SCHEDULE_STATES, ScheduleSchema } from '../schedules/schedule.ts';
import { SchedulePatchSchema } from '../schedules/schedule-patch.ts';
import { CreateScheduleRequestSchema } from '../schedules/schedule-settings.ts';
import { Type } from '../type.ts';
import { paginated, succeeded } from './envelopes.ts';
import { CREATE_HEADERS } from './job-routes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** Routes of schedules: pages that are scraped repeatedly. */
export const SCHEDULE_ROUTES = {
  createSchedule: {
    method: 'post',
    path: '/v1/schedules',
    summary: 'Scrape pages on a schedule',
    description:
      'Each run is a job of `url`, or of all `urls`. A local time that a clock change skips runs once, right after the gap; one that occurs twice runs once.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    body: CreateScheduleRequestSchema,
    bodyExample: {
      name: 'Every weekday at nine',
      url: 'https://example.com/',
      selectors: { title: 'h1' },
      locale: 'en',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
    },
    moreExamples: {
      pages: {
        summary: 'Several pages',
        value: {
          name: 'Two pages every hour',
          urls: ['https://example.com/', 'https://example.com/?page=2'],
          selectors: { title: 'h1' },
          cron: '0 * * * *',
        },
      },
    },
    status: 201,
    response: succeeded({ schedule: ScheduleSchema }),
    responseHeaders: ['Location'],
    errors: [
      'DATASET_KEY_DIFFERS',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'PROFILE_NOT_FOUND',
      'CHANNEL_NOT_FOUND',
    ],
  },
  listSchedules: {
    method: 'get',
    path: '/v1/schedules',
    summary: 'List the schedules of the account, newest first',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: Type.Object(
      {
        status: Type.Optional(OneOf(SCHEDULE_STATES, { description: 'Only schedules in this state.' })),
        ...PAGE_QUERY_PROPERTIES,
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: paginated('schedules', ScheduleSchema),
    errors: [],
  },
  previewSchedule: {
    method: 'get',
    path: '/v1/schedules/preview',
    summary: 'Show the next times of a cron expression',
    description:
      'The times at which a schedule with these settings would run from now on. Nothing is created.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: PreviewQuerySchema,
    status: 200,
    response: succeeded({ preview: PreviewSchema }),
    errors: [],
  },
  getSchedule: {
    method: 'get',
    path: '/v1/schedules/{id}',
    summary: 'Get a schedule',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  getScheduleHealth: {
    method: 'get',
    path: '/v1/schedules/{id}/health',
    summary: 'Show what the fields of a schedule returned before and return now',
    description:
      'Judged by the pages of the verdict `content` in the last 20 runs. A field that has fallen has a suggestion of selectors that find it again, where a page of before and one of now are kept. Costs no credits.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: HealthQuerySchema,
    status: 200,
    response: succeeded({ health: ScheduleHealthSchema }),
    errors: ['SCHEDULE_NOT_FOUND', 'UNSUPPORTED_CONTENT', 'TIMEOUT'],
  },
  acceptSuggestions: {
    method: 'post',
    path: '/v1/schedules/{id}/health/accept',
    summary: 'Use the selectors that are suggested for fields that have fallen',
    description:
      'Changes the selectors of the schedule, as PATCH does: those of all fields with a verified suggestion, or of the named fields. Nothing is changed if selectors or pages are not those of `suggestedFor` any more.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    body: AcceptSuggestionsSchema,
    bodyExample: { fields: ['price'] },
    status: 200,
    response: succeeded({
      schedule: ScheduleSchema,
      accepted: Type.Array(Type.String(), {
        description: 'Paths of the fields whose selectors were replaced.',
      }),
    }),
    errors: ['SCHEDULE_NOT_FOUND', 'SUGGESTION_OUTDATED', 'NO_SUGGESTION', 'UNSUPPORTED_CONTENT', 'TIMEOUT'],
  },
  updateSchedule: {
    method: 'patch',
    path: '/v1/schedules/{id}',
    summary: 'Change settings of a schedule',
    description:
      'A given value replaces the setting, null resets an optional one to its default, and the rest stays. `url` replaces `urls`, and `urls` replaces `url`. The whole record is checked again.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    body: SchedulePatchSchema,
    bodyExample: { cron: '*/30 * * * *', timezone: null },
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: [
      'DATASET_KEY_DIFFERS',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'PROFILE_NOT_FOUND',
      'SCHEDULE_NOT_FOUND',
    ],
  },
  pauseSchedule: {
    method: 'post',
    path: '/v1/schedules/{id}/pause',
    summary: 'Pause a schedule: no runs start until it is resumed',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  resumeSchedule: {
    method: 'post',
    path: '/v1/schedules/{id}/resume',
    summary: 'Resume a schedule: the next run is the next due time from now',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  runSchedule: {
    method: 'post',
    path: '/v1/schedules/{id}/run',
    summary: 'Start a run now',
    description:
      'Works also while the schedule is paused or its last run has not finished; `nextRunAt` stays. With an Idempotency-Key, a repeated request gets the response of the first one, for 24 hours, even if the schedule has changed.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    headers: CREATE_HEADERS,
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: [
      'DATASET_KEY_DIFFERS',
      'SCHEDULE_NOT_FOUND',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'INSUFFICIENT_CREDITS',
      'IDEMPOTENCY_CONFLICT',
    ],
  },
  listScheduleRules: {
    method: 'get',
    path: '/v1/schedules/{id}/rules',
    summary: 'Show what the rules of a schedule have told',
    description: 'One entry for each rule of `notify`, with when it told last and what.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    status: 200,
    response: succeeded({
      rules: Type.Array(RuleReportSchema),
      records: Type.Integer({ minimum: 0, description: 'Number of records and pages that are watched.' }),
      omitted: Type.Integer({
        minimum: 0,
        description:
          'Number of further ones in the last run, which are not watched because there are too many.',
      }),
    }),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  listScheduleRuns: {
    method: 'get',
    path: '/v1/schedules/{id}/runs',
    summary: 'List the jobs of a schedule, newest first, with whether their data changed',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: Type.Object(PAGE_QUERY_PROPERTIES, { additionalProperties: false }),
    status: 200,
    response: paginated('runs', RunSchema),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  listScheduleChanges: {
    method: 'get',
    path: '/v1/schedules/{id}/changes',
    summary: 'List what the runs of a schedule found changed, newest first',
    description:
      'One entry for each run, compared with the run before over all its pages: records are matched by a key, wherever they are. `GET /v1/jobs/{id}/changes` has all changes of one run.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: Type.Object(
      {
        ...PAGE_QUERY_PROPERTIES,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, description: 'Number of runs. Default 10.' }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: paginated('changes', RunChangesSchema),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  deleteSchedule: {
    method: 'delete',
    path: '/v1/schedules/{id}',
    summary: 'Delete a schedule permanently',
    description: 'Its jobs and their results stay.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    status: 204,
    errors: ['SCHEDULE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
