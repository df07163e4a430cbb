import { Type } from 'typebox';
import { JobSchema } from '../jobs/job.ts';
import { RunSchema } from '../schedules/run.ts';
import { SCHEDULE_STATES, ScheduleSchema } from '../schedules/schedule.ts';
import { SchedulePatchSchema } from '../schedules/schedule-patch.ts';
import { CreateScheduleRequestSchema } from '../schedules/schedule-settings.ts';
import { OneOf } from '../schema/map-of.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** One page at its times, again and again. */
export const SCHEDULE_ROUTES = {
  createSchedule: {
    method: 'post',
    path: '/v1/schedules',
    summary: 'Scrape a page on a schedule',
    description:
      'Local times that the clocks of the zone skip run once, right after the gap; those that they show twice run once.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    body: CreateScheduleRequestSchema,
    status: 201,
    response: succeeded({ schedule: ScheduleSchema }),
    responseHeaders: ['Location'],
    errors: ['INVALID_URL', 'INVALID_SELECTOR'],
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
  getSchedule: {
    method: 'get',
    path: '/v1/schedules/{id}',
    summary: 'A schedule',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  updateSchedule: {
    method: 'patch',
    path: '/v1/schedules/{id}',
    summary: 'Change settings of a schedule',
    description:
      'What is given replaces the setting, null takes an optional one back to its default, the rest stays. The record as a whole is checked again.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    body: SchedulePatchSchema,
    status: 200,
    response: succeeded({ schedule: ScheduleSchema }),
    errors: ['INVALID_URL', 'INVALID_SELECTOR', 'SCHEDULE_NOT_FOUND'],
  },
  pauseSchedule: {
    method: 'post',
    path: '/v1/schedules/{id}/pause',
    summary: 'Start no more runs until it is resumed',
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
    summary: 'Start runs again, the next at its time from now',
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
    description: 'Also while the schedule is paused or its last run has not ended; `nextRunAt` stays.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: ['SCHEDULE_NOT_FOUND', 'INVALID_URL', 'INVALID_SELECTOR', 'INSUFFICIENT_CREDITS'],
  },
  listScheduleRuns: {
    method: 'get',
    path: '/v1/schedules/{id}/runs',
    summary: 'The jobs that a schedule has started, newest first, and whether their data changed',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'read',
    query: Type.Object(PAGE_QUERY_PROPERTIES, { additionalProperties: false }),
    status: 200,
    response: paginated('runs', RunSchema),
    errors: ['SCHEDULE_NOT_FOUND'],
  },
  deleteSchedule: {
    method: 'delete',
    path: '/v1/schedules/{id}',
    summary: 'Delete a schedule for good',
    description: 'Its jobs and their results stay.',
    tag: 'Schedules',
    scope: 'schedules',
    rateLimit: 'create',
    status: 204,
    errors: ['SCHEDULE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
