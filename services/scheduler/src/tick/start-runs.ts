import { AppError, type CreateRunOutcome, ERROR_TABLE, fromFailure, isTerminal } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { ClaimedSchedule, RunEnd, Stores } from '@gleaner/storage';
import { type CreateJobs, createTogether } from '../runs/create-together.ts';
import { runCommand } from '../runs/run-command.ts';
import type { SchedulerMetrics } from '../scheduler-metrics.ts';
import { postponeRuns } from './postpone-runs.ts';

/** Collaborators of starting. */
export interface StartDeps {
  readonly runs: Stores['scheduleRuns'];
  readonly jobs: Pick<Stores['jobs'], 'findJobs' | 'findJob'>;
  readonly createJobs: CreateJobs;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: SchedulerMetrics;
  readonly runsAtOnce: number;
  readonly retryDelayMs: number;
}

/** What came of a run; nothing is noted of one that is to be tried again. */
type Outcome =
  | { readonly schedule: ClaimedSchedule; readonly end: RunEnd }
  | { readonly schedule: ClaimedSchedule; readonly fault: AppError };

/** Starts, skips, refuses or postpones each of the runs, and notes which. */
export async function startRuns(
  claimed: readonly ClaimedSchedule[],
  deps: StartDeps,
  signal: AbortSignal,
): Promise<void> {
  const overlapping = await findOverlapping(claimed, deps);
  await skip(
    claimed.filter(({ id }) => overlapping.has(id)),
    deps,
  );
  const wanted = claimed.filter(({ id }) => !overlapping.has(id));
  for (let first = 0; first < wanted.length && !signal.aborted; first += deps.runsAtOnce) {
    const batch = wanted.slice(first, first + deps.runsAtOnce);
    // Whoever has waited too long for its turn no longer holds the run.
    await start(
      batch.filter(({ run }) => run.leaseUntil > deps.now()),
      deps,
      signal,
    );
  }
}

/** The schedules that want no second run beside one that has not ended. */
async function findOverlapping(
  claimed: readonly ClaimedSchedule[],
  { jobs }: StartDeps,
): Promise<ReadonlySet<string>> {
  const candidates = claimed.filter(({ settings, liveJobIds }) => settings.overlap === 'skip' && liveJobIds);
  if (candidates.length === 0) return new Set();
  const found = await jobs.findJobs(candidates.flatMap(({ liveJobIds = [] }) => liveJobIds));
  const live = new Set(found.filter(({ status }) => !isTerminal(status)).map(({ id }) => id));
  const overlapping = candidates.filter(({ liveJobIds = [] }) => liveJobIds.some((id) => live.has(id)));
  return new Set(overlapping.map(({ id }) => id));
}

async function skip(schedules: readonly ClaimedSchedule[], deps: StartDeps): Promise<void> {
  const at = deps.now();
  await deps.runs.recordEnds(schedules.map(({ id, run: { jobId } }) => ({ id, jobId, what: 'skipped', at })));
  deps.metrics.runs.inc({ outcome: 'skipped' }, schedules.length);
}

async function start(batch: readonly ClaimedSchedule[], deps: StartDeps, signal: AbortSignal): Promise<void> {
  const commands = batch.map((schedule) => runCommand(schedule, schedule.run.jobId, tickKeyOf(schedule)));
  const created = await createTogether(commands, deps.createJobs, signal);
  if (signal.aborted) return;
  const outcomes = await Promise.all(
    batch.map((schedule, index) => judge(schedule, created[index] as CreateRunOutcome, deps)),
  );
  const ended = outcomes.flatMap((outcome) => ('end' in outcome ? [outcome] : []));
  await deps.runs.recordEnds(ended.map(({ end }) => end));
  for (const { schedule, end } of ended) report(schedule, end, deps);
  await postponeRuns(
    outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome] : [])),
    deps,
  );
}

/** One job per tick, however often and by whom it is asked for. */
function tickKeyOf({ id, run: { dueAt } }: ClaimedSchedule): string {
  return `${id}:${dueAt.toISOString()}`;
}

async function judge(
  schedule: ClaimedSchedule,
  created: CreateRunOutcome,
  deps: StartDeps,
): Promise<Outcome> {
  const { id, accountId, run } = schedule;
  const { jobId } = run;
  const at = deps.now();
  if ('job' in created) {
    const { job } = created;
    if (job.id !== jobId) return { schedule, end: { id, jobId, what: 'repeated' } };
    return { schedule, end: { id, jobId, what: 'started', status: job.status, at } };
  }
  const { failure } = created;
  if (failure.code === 'IDEMPOTENCY_CONFLICT') {
    // An earlier try has created it from settings that were changed since, or is half through with that.
    const job = await deps.jobs.findJob(accountId, jobId);
    if (job) return { schedule, end: { id, jobId, what: 'started', status: job.status, at } };
    const message = `The job ${jobId} is half stored.`;
    return { schedule, fault: new AppError('SERVICE_UNAVAILABLE', { message }) };
  }
  if (ERROR_TABLE[failure.code].isRetryable) return { schedule, fault: fromFailure(failure) };
  return { schedule, end: { id, jobId, what: 'refused', failure, at } };
}

function report({ id, run }: ClaimedSchedule, end: RunEnd, { now, logger, metrics }: StartDeps): void {
  metrics.runs.inc({ outcome: end.what });
  if (end.what === 'started') metrics.lag.observe((now().getTime() - run.dueAt.getTime()) / 1000);
  if (end.what === 'refused') {
    logger.info({ scheduleId: id, failure: end.failure }, 'No job could be created for a run.');
  }
}
