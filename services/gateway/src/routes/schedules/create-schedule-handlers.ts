import {
  AppError,
  createId,
  isTerminal,
  LIMITS,
  type Pagination,
  patchSettings,
  type Run,
  type RunChanges,
  type Schedule,
  settingsOf,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import {
  describeJob,
  describeSchedule,
  type JobProgress,
  type StoredSchedule,
  type Stores,
} from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import { commandSchedule, expectOutcome } from '../commands.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { type CrawlRules, withinLimits } from '../jobs/crawl/check-crawl.ts';
import { describeComparison, parseChanges } from '../jobs/describe-comparison.ts';
import { JSON_TYPE } from '../jobs/export/join-texts.ts';
import { inPlace, type JobStreams } from '../jobs/job-streams.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { actionListsOf, findSealedSecrets } from '../secrets/create-secret-handlers.ts';
import { checkSettings } from './check-settings.ts';

/** Collaborators of the handlers. */
export interface ScheduleDeps extends CommandDeps {
  readonly schedules: Pick<Stores['schedules'], 'findSchedule' | 'listSchedules'>;
  readonly jobs: Pick<Stores['jobs'], 'listJobs' | 'findJobs'>;
  readonly health: Pick<Stores['health'], 'findStates'>;
  readonly jobStreams: JobStreams;
  readonly rules: ScrapeRules & CrawlRules;
  readonly secrets: Pick<Stores['secrets'], 'findSecrets'>;
  readonly profiles: Pick<Stores['profiles'], 'findProfile'>;
}

type ScheduleRoute = Extract<
  keyof Handlers,
  `${string}Schedule` | 'listSchedules' | 'listScheduleRuns' | 'listScheduleChanges'
>;

/** Runs whose changes are shown by default, and the most changes and bytes of them that each shows. */
const DEFAULT_RUNS = 10;
const MAX_CHANGES = 100;
const MAX_CHANGES_BYTES = 128 * 1024;
/** Number of attempts at a patch when the schedule is modified concurrently. */
const MAX_PATCH_ATTEMPTS = 5;

/** Creates the handlers of the schedule routes. Commands go to the scheduler, everything else is read from the database. */
export function createScheduleHandlers(deps: ScheduleDeps): Pick<Handlers, ScheduleRoute> {
  const { schedules, jobs, jobStreams, rules } = deps;

  /** Finds a schedule of the caller's account. Throws SCHEDULE_NOT_FOUND, also for schedules of other accounts. */
  async function findSchedule({ account }: Caller, id = ''): Promise<StoredSchedule> {
    const schedule = await schedules.findSchedule({ accountId: account.id, id });
    if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
    return schedule;
  }

  /** Finds the caller's schedule and returns its ids, as a command names them. */
  async function findTarget({ caller, params }: Pick<CheckedCall<'getSchedule'>, 'caller' | 'params'>) {
    const { id } = await findSchedule(caller, params.id);
    return { scheduleId: id, accountId: caller.account.id };
  }

  async function show(schedule: Schedule): Promise<{ success: true; schedule: Schedule }> {
    const [shown = schedule] = await showPresent([schedule], deps);
    return { success: true, schedule: shown };
  }

  return {
    async createSchedule({ caller, body, signal }) {
      const given = withinLimits(settingsOf(body), rules);
      await checkSettings(given, rules);
      const { options: settings } = await findProfile(given, caller.account.id, deps);
      await findSealedSecrets(actionListsOf(settings), caller.account.id, deps);
      const target = { scheduleId: createId('sch'), accountId: caller.account.id };
      const reply = await commandSchedule({ type: 'create', ...target, settings }, deps, signal);
      const { schedule } = expectOutcome(reply, 'stored');
      return new JsonWithHeaders({ success: true, schedule }, { Location: `/v1/schedules/${schedule.id}` });
    },

    async listSchedules({ caller, query: { status, limit = LIMITS.defaultPageSize, offset = 0 } }) {
      const page = await schedules.listSchedules(caller.account.id, { status, limit, offset });
      const hasMore = offset + page.schedules.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      const shown = await showPresent(
        page.schedules.map((schedule) => describeSchedule(schedule)),
        deps,
      );
      // Each may have a megabyte of settings.
      return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () =>
        listOf('schedules', shown, pagination),
      );
    },

    async previewSchedule({ query: timing, signal }) {
      const reply = await commandSchedule({ type: 'preview', timing }, deps, signal);
      const { timezone, runs } = expectOutcome(reply, 'previewed');
      return { success: true, preview: { timezone, runs } };
    },

    async getSchedule({ caller, params }) {
      return await show(describeSchedule(await findSchedule(caller, params.id)));
    },

    async updateSchedule({ caller, params, body, signal }) {
      for (let attempt = 0; attempt < MAX_PATCH_ATTEMPTS; attempt += 1) {
        const { id, settings: current, revision } = await findSchedule(caller, params.id);
        const given = withinLimits(patchSettings(current, body), rules);
        await checkSettings(given, rules);
        const { options: settings } = await findProfile(given, caller.account.id, deps);
        await findSealedSecrets(actionListsOf(settings), caller.account.id, deps);
        const target = { scheduleId: id, accountId: caller.account.id };
        const reply = await commandSchedule({ type: 'update', ...target, settings, revision }, deps, signal);
        if (reply.outcome === 'stale') continue;
        return await show(expectOutcome(reply, 'stored').schedule);
      }
      throw tooManyChanges();
    },

    async pauseSchedule(call) {
      const reply = await commandSchedule({ type: 'pause', ...(await findTarget(call)) }, deps, call.signal);
      return await show(expectOutcome(reply, 'stored').schedule);
    },

    async resumeSchedule(call) {
      const reply = await commandSchedule({ type: 'resume', ...(await findTarget(call)) }, deps, call.signal);
      return await show(expectOutcome(reply, 'stored').schedule);
    },

    async runSchedule(call) {
      const { 'idempotency-key': idempotencyKey } = call.headers;
      const command = {
        ...{ type: 'run' as const, ...(await findTarget(call)), jobId: createId('job') },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      };
      const { job } = expectOutcome(await commandSchedule(command, deps, call.signal), 'started');
      return new JsonWithHeaders({ success: true, job }, { Location: `/v1/jobs/${job.id}` });
    },

    async listScheduleRuns({ caller, params, query }) {
      const { limit = LIMITS.defaultPageSize, offset = 0 } = query;
      const { id: scheduleId } = await findSchedule(caller, params.id);
      const page = await jobs.listJobs(caller.account.id, { scheduleId, limit, offset });
      const hasMore = offset + page.jobs.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, runs: page.jobs.map(describeRun), pagination };
    },

    async listScheduleChanges({ caller, params, query, signal }) {
      const { limit = DEFAULT_RUNS, offset = 0 } = query;
      const { id: scheduleId } = await findSchedule(caller, params.id);
      const page = await jobs.listJobs(caller.account.id, { scheduleId, limit, offset });
      const hasMore = offset + page.jobs.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () =>
        inPlace({ caller, signal }, jobStreams, () =>
          listOf('changes', changesOf(page.jobs, jobStreams.changes), pagination),
        ),
      );
    },

    async deleteSchedule(call) {
      await commandSchedule({ type: 'delete', ...(await findTarget(call)) }, deps, call.signal);
      return undefined;
    },
  };
}

/** Returns a run with whether it found a difference; pages that nothing leads to any more are one. */
function describeRun(job: JobProgress): Run {
  const { comparison, crawl } = job;
  const unlinked = crawl?.changes?.unlinked ?? 0;
  const changed = comparison && comparison.added + comparison.removed + comparison.changed + unlinked > 0;
  return { ...describeJob(job), changed: changed ?? null };
}

/** Reads the first changes of runs, one run at a time. */
async function* changesOf(
  runs: readonly JobProgress[],
  changes: JobStreams['changes'],
): AsyncGenerator<RunChanges> {
  for (const run of runs) yield await describeChanges(run, changes);
}

/** Returns the first changes that a run found. */
async function describeChanges(
  { id, createdAt, comparison }: JobProgress,
  changes: JobStreams['changes'],
): Promise<RunChanges> {
  const texts = comparison ? await changes.find(id, { offset: 0, limit: MAX_CHANGES }) : [];
  let bytes = 0;
  const fitting = texts.filter((text) => {
    bytes += text.length;
    return bytes <= MAX_CHANGES_BYTES;
  });
  return {
    jobId: id,
    at: createdAt.toISOString(),
    ...describeComparison(comparison),
    changes: parseChanges(fitting),
    ...(fitting.length < (comparison?.stored ?? 0) && { changesUrl: `/v1/jobs/${id}/changes` }),
  };
}

/**
 * Returns the schedules with their health, and with the current state of their last jobs in `lastStatus`, which the scheduler
 * records a little later.
 */
async function showPresent(
  schedules: readonly Schedule[],
  { jobs, health }: Pick<ScheduleDeps, 'jobs' | 'health'>,
): Promise<Schedule[]> {
  const open = schedules.flatMap(({ lastJobId, lastStatus }) =>
    lastJobId !== null && lastStatus !== null && lastStatus !== 'refused' && !isTerminal(lastStatus)
      ? [lastJobId]
      : [],
  );
  const [found, states] = await Promise.all([
    open.length > 0 ? jobs.findJobs(open) : [],
    health.findStates(schedules.map(({ id }) => id)),
  ]);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return schedules.map((schedule) => ({
    ...schedule,
    health: states.get(schedule.id) ?? 'ok',
    lastStatus: statuses.get(schedule.lastJobId ?? '') ?? schedule.lastStatus,
  }));
}

/** Writes a list one entry at a time. */
async function* listOf(
  name: string,
  entries: Iterable<Schedule> | AsyncIterable<RunChanges>,
  pagination: Pagination,
): AsyncGenerator<string> {
  yield `{"success":true,"${name}":[`;
  let separator = '';
  for await (const entry of entries) {
    yield separator + JSON.stringify(entry);
    separator = ',';
  }
  yield `],"pagination":${JSON.stringify(pagination)}}`;
}

function tooManyChanges(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The schedule was modified concurrently; no change was made.',
    retryAfterSeconds: 1,
  });
}
