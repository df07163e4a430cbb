import {
  AppError,
  createId,
  defined,
  isTerminal,
  LIMITS,
  type Pagination,
  patchSettings,
  type RouteName,
  type Run,
  type RunChanges,
  type Schedule,
  type SchedulePatch,
  type ScheduleSettings,
  settingsOf,
  urlsOf,
} from '@gleaner/contracts';
import { JSON_TYPE } from '@gleaner/export';
import type { CommandDeps } from '@gleaner/service-kit';
import {
  describeJob,
  describeSchedule,
  type JobProgress,
  type RulesReport,
  type Stores,
} from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import { commandSchedule, expectOutcome } from '../commands.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { checkDataset } from '../jobs/check-dataset.ts';
import { checkSink, type SinkRules } from '../jobs/check-sink.ts';
import { type CrawlRules, withinLimits } from '../jobs/crawl/check-crawl.ts';
import { describeComparison, parseChanges } from '../jobs/describe-comparison.ts';
import { inPlace, type JobStreams } from '../jobs/job-streams.ts';
import { paginate } from '../paginate.ts';
import { placed, withoutRecipe, withRecipe } from '../recipes/resolve/apply-recipe.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { withModelPrice } from '../scrape/model-rules.ts';
import { actionListsOf, findSealedSecrets } from '../secrets/find-sealed-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkRules } from './find-rule-errors.ts';
import { findSchedule } from './find-schedule.ts';

/** Collaborators of the handlers. */
export interface ScheduleDeps extends CommandDeps, RecipeReader {
  readonly schedules: Pick<Stores['schedules'], 'findSchedule' | 'listSchedules'>;
  readonly jobs: Pick<Stores['jobs'], 'listJobs' | 'findJobs'>;
  readonly health: Pick<Stores['health'], 'findStates'>;
  readonly jobStreams: JobStreams;
  readonly rules: ScrapeRules & CrawlRules & SinkRules;
  readonly datasets: Pick<Stores['datasets'], 'requireDatasetKey'>;
  readonly secrets: Pick<Stores['secrets'], 'findSecrets'>;
  readonly profiles: Pick<Stores['profiles'], 'findProfile'>;
  readonly channels: Pick<Stores['channels'], 'listChannels'>;
  readonly ruleReports: Pick<Stores['ruleReports'], 'findReport'>;
  readonly feeds: Pick<Stores['feeds'], 'removeFeed'>;
}

type ScheduleRoute = Extract<
  RouteName,
  `${string}Schedule` | 'listSchedules' | 'listScheduleRuns' | 'listScheduleRules' | 'listScheduleChanges'
>;

/** Runs whose changes are shown by default, and the most changes and bytes of them that each shows. */
const DEFAULT_RUNS = 10;
const MAX_CHANGES = 100;
const MAX_CHANGES_BYTES = 128 * 1024;
/** Number of attempts at a patch when the schedule is modified concurrently. */
const MAX_PATCH_ATTEMPTS = 5;

/** Handlers of the schedule routes. Commands go to the scheduler, everything else is read from the database. */
export const scheduleHandlers: Handlers<ScheduleRoute, ScheduleDeps> = {
  async createSchedule({ caller, body, signal }, deps) {
    const given = await withRecipeOfSchedule(settingsOf(body), caller, deps);
    const settings = await checkedSettings(given, caller, deps);
    const target = { scheduleId: createId('sch'), accountId: caller.account.id };
    const reply = await commandSchedule({ type: 'create', ...target, settings }, deps, signal);
    const { schedule } = expectOutcome(reply, 'stored');
    return new JsonWithHeaders({ success: true, schedule }, { Location: `/v1/schedules/${schedule.id}` });
  },

  async listSchedules({ caller, query: { status, limit = LIMITS.defaultPageSize, offset = 0 } }, deps) {
    const page = await deps.schedules.listSchedules(caller.account.id, { status, limit, offset });
    const pagination = paginate({ limit, offset }, { count: page.schedules.length, total: page.total });
    const shown = await showPresent(
      page.schedules.map((schedule) => describeSchedule(schedule)),
      deps,
    );
    // Each may have a megabyte of settings.
    return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () => listOf('schedules', shown, pagination));
  },

  async previewSchedule({ query: timing, signal }, deps) {
    const reply = await commandSchedule({ type: 'preview', timing }, deps, signal);
    const { timezone, runs } = expectOutcome(reply, 'previewed');
    return { success: true, preview: { timezone, runs } };
  },

  async getSchedule({ caller, params }, deps) {
    return await show(describeSchedule(await findSchedule(caller, params.id, deps)), deps);
  },

  async updateSchedule({ caller, params, body, signal }, deps) {
    for (let attempt = 0; attempt < MAX_PATCH_ATTEMPTS; attempt += 1) {
      const { id, settings: current, revision } = await findSchedule(caller, params.id, deps);
      const given = await patched(current, body, caller, deps);
      const settings = await checkedSettings(given, caller, deps);
      const target = { scheduleId: id, accountId: caller.account.id };
      const reply = await commandSchedule({ type: 'update', ...target, settings, revision }, deps, signal);
      if (reply.outcome === 'stale') continue;
      return await show(expectOutcome(reply, 'stored').schedule, deps);
    }
    throw tooManyChanges();
  },

  async pauseSchedule(call, deps) {
    const reply = await commandSchedule(
      { type: 'pause', ...(await findTarget(call, deps)) },
      deps,
      call.signal,
    );
    return await show(expectOutcome(reply, 'stored').schedule, deps);
  },

  async resumeSchedule(call, deps) {
    const reply = await commandSchedule(
      { type: 'resume', ...(await findTarget(call, deps)) },
      deps,
      call.signal,
    );
    return await show(expectOutcome(reply, 'stored').schedule, deps);
  },

  async runSchedule(call, deps) {
    const { 'idempotency-key': idempotencyKey } = call.headers;
    const command = {
      type: 'run' as const,
      ...(await findTarget(call, deps)),
      jobId: createId('job'),
      ...defined({ idempotencyKey }),
    };
    const { job } = expectOutcome(await commandSchedule(command, deps, call.signal), 'started');
    return new JsonWithHeaders({ success: true, job }, { Location: `/v1/jobs/${job.id}` });
  },

  async listScheduleRuns({ caller, params, query }, deps) {
    const { limit = LIMITS.defaultPageSize, offset = 0 } = query;
    const { id: scheduleId } = await findSchedule(caller, params.id, deps);
    const { jobs, total } = await deps.jobs.listJobs(caller.account.id, { scheduleId, limit, offset });
    const pagination = paginate({ limit, offset }, { count: jobs.length, total });
    return { success: true, runs: jobs.map(describeRun), pagination };
  },

  async listScheduleRules({ caller, params }, deps) {
    const { id, settings } = await findSchedule(caller, params.id, deps);
    const json = await deps.ruleReports.findReport(id);
    const report = json === undefined ? undefined : (JSON.parse(json) as RulesReport);
    const known = new Map(report?.rules.map((rule) => [rule.name, rule]));
    const untold = { told: 0, lastToldAt: null, lastJobId: null, lastTitle: null };
    const rules = (settings.notify ?? []).map(
      ({ name }) => known.get(name) ?? Object.assign({ name }, untold),
    );
    return { success: true, rules, records: report?.records ?? 0, omitted: report?.omitted ?? 0 };
  },

  async listScheduleChanges({ caller, params, query, signal }, deps) {
    const { limit = DEFAULT_RUNS, offset = 0 } = query;
    const { id: scheduleId } = await findSchedule(caller, params.id, deps);
    const { jobs, total } = await deps.jobs.listJobs(caller.account.id, { scheduleId, limit, offset });
    const pagination = paginate({ limit, offset }, { count: jobs.length, total });
    return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () =>
      inPlace({ caller, signal }, deps.jobStreams, () =>
        listOf('changes', changesOf(jobs, deps.jobStreams.changes), pagination),
      ),
    );
  },

  async deleteSchedule(call, deps) {
    const target = await findTarget(call, deps);
    await commandSchedule({ type: 'delete', ...target }, deps, call.signal);
    await deps.feeds.removeFeed(target);
    return undefined;
  },
};

/** Returns settings within the limits of crawls, once their every run could succeed: a run gets the proxy that its profile has by then. */
async function checkedSettings(
  given: ScheduleSettings,
  { account }: Caller,
  deps: ScheduleDeps,
): Promise<ScheduleSettings> {
  const settings = withModelPrice(withinLimits(given, deps.rules), deps.rules);
  await checkSettings(settings, deps.rules);
  checkSink(settings, account.id, deps.rules);
  await checkDataset(settings, account.id, deps);
  await findProfile(settings, account.id, deps);
  await findSealedSecrets(actionListsOf(settings), account.id, deps);
  await checkRules(settings, account.id, deps);
  return settings;
}

/** Returns settings after a patch; one of the recipe replaces the options of the recipe before. */
async function patched(
  current: ScheduleSettings,
  patch: SchedulePatch,
  caller: Caller,
  deps: ScheduleDeps,
): Promise<ScheduleSettings> {
  if (patch.recipe === undefined) return patchSettings(current, patch);
  const own = await withoutRecipe(current, caller.account.id, deps);
  return await withRecipeOfSchedule(patchSettings(own, patch), caller, deps);
}

/** Returns settings with the options of their recipe. */
async function withRecipeOfSchedule(
  settings: ScheduleSettings,
  { account }: Caller,
  deps: RecipeReader,
): Promise<ScheduleSettings> {
  const urls = placed(urlsOf(settings), (index) => (settings.urls ? `urls.${index}` : 'url'));
  return await withRecipe(settings, urls, account.id, deps);
}

/** Finds the caller's schedule and returns its ids, as a command names them. */
async function findTarget(
  { caller, params }: Pick<CheckedCall<'getSchedule'>, 'caller' | 'params'>,
  deps: ScheduleDeps,
) {
  const { id } = await findSchedule(caller, params.id, deps);
  return { scheduleId: id, accountId: caller.account.id };
}

async function show(schedule: Schedule, deps: ScheduleDeps): Promise<{ success: true; schedule: Schedule }> {
  const [shown = schedule] = await showPresent([schedule], deps);
  return { success: true, schedule: shown };
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
