import { AppError, createId, LIMITS, patchSettings, type Schedule, settingsOf } from '@gleaner/contracts';
import { describeSchedule, type StoredSchedule, type Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication/caller.ts';
import { AnswerWithHeaders } from '../answers.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { checkSettings } from './check-settings.ts';
import { commandSchedule, expectOutcome, type ScheduleCommander } from './command-schedule.ts';
import { describeRuns, type RunReader } from './describe-runs.ts';
import { showLastStatus } from './show-last-status.ts';

/** Collaborators of the handlers. */
export interface ScheduleDeps extends ScheduleCommander, RunReader {
  readonly schedules: Pick<Stores['schedules'], 'findSchedule' | 'listSchedules'>;
  readonly jobs: Pick<Stores['jobs'], 'listJobs' | 'findJobs' | 'findRunBefore'>;
  readonly rules: ScrapeRules;
}

type ScheduleRoute = Extract<keyof Handlers, `${string}Schedule` | 'listSchedules' | 'listScheduleRuns'>;

/** How often a patch is made again because the schedule was changed by others meanwhile. */
const MAX_PATCH_TRIES = 5;

/** The handlers of the schedule routes. Commands go to the scheduler, everything else is read. */
export function createScheduleHandlers(deps: ScheduleDeps): Pick<Handlers, ScheduleRoute> {
  const { schedules, jobs, rules } = deps;

  /** Somebody else's schedule is no schedule. */
  async function findSchedule({ account }: Caller, id = ''): Promise<StoredSchedule> {
    const schedule = await schedules.findSchedule({ accountId: account.id, id });
    if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
    return schedule;
  }

  /** The caller's schedule as a command names it. */
  async function findTarget({ caller, params }: Pick<CheckedCall<'getSchedule'>, 'caller' | 'params'>) {
    const { id } = await findSchedule(caller, params.id);
    return { scheduleId: id, accountId: caller.account.id };
  }

  async function show(schedule: Schedule): Promise<{ success: true; schedule: Schedule }> {
    const [shown = schedule] = await showLastStatus([schedule], jobs);
    return { success: true, schedule: shown };
  }

  return {
    async createSchedule({ caller, body, signal }) {
      const settings = settingsOf(body);
      checkSettings(settings, rules);
      const target = { scheduleId: createId('sch'), accountId: caller.account.id };
      const reply = await commandSchedule({ type: 'create', ...target, settings }, deps, signal);
      const { schedule } = expectOutcome(reply, 'stored');
      return new AnswerWithHeaders({ success: true, schedule }, { Location: `/v1/schedules/${schedule.id}` });
    },

    async listSchedules({ caller, query: { status, limit = LIMITS.defaultPageSize, offset = 0 } }) {
      const page = await schedules.listSchedules(caller.account.id, { status, limit, offset });
      const hasMore = offset + page.schedules.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return {
        success: true,
        schedules: await showLastStatus(page.schedules.map(describeSchedule), jobs),
        pagination,
      };
    },

    async getSchedule({ caller, params }) {
      return await show(describeSchedule(await findSchedule(caller, params.id)));
    },

    async updateSchedule({ caller, params, body, signal }) {
      for (let tries = 0; tries < MAX_PATCH_TRIES; tries += 1) {
        const { id, settings: current, revision } = await findSchedule(caller, params.id);
        const settings = patchSettings(current, body);
        checkSettings(settings, rules);
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
      const command = { type: 'run' as const, ...(await findTarget(call)), jobId: createId('job') };
      const { job } = expectOutcome(await commandSchedule(command, deps, call.signal), 'started');
      return new AnswerWithHeaders({ success: true, job }, { Location: `/v1/jobs/${job.id}` });
    },

    async listScheduleRuns({ caller, params, query: { limit = LIMITS.defaultPageSize, offset = 0 } }) {
      const { id: scheduleId } = await findSchedule(caller, params.id);
      const page = await jobs.listJobs(caller.account.id, { scheduleId, limit, offset });
      const hasMore = offset + page.jobs.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, runs: await describeRuns(page.jobs, deps), pagination };
    },

    async deleteSchedule(call) {
      await commandSchedule({ type: 'delete', ...(await findTarget(call)) }, deps, call.signal);
      return undefined;
    },
  };
}

function tooManyChanges(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The schedule is being changed by others all the time; nothing was changed by this call.',
    retryAfterSeconds: 1,
  });
}
