import {
  AppError,
  backoffMs,
  type CreateRunOutcome,
  ERROR_TABLE,
  fromFailure,
  isTerminal,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { ClaimedSchedule, DueSchedule, RunEnd, Stores } from '@gleaner/storage';
import { type CreateJobs, createTogether } from '../runs/create-together.ts';
import { runCommand } from '../runs/run-command.ts';
import type { SchedulerMetrics } from '../scheduler-metrics.ts';

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

interface FailedStart {
  readonly schedule: ClaimedSchedule;
  readonly error: AppError;
}

/** Outcome of a run: its end, or the error after which it is attempted again. */
type Outcome = { readonly schedule: ClaimedSchedule; readonly end: RunEnd } | FailedStart;

/** Starts, skips, refuses or postpones each of the runs, and records the outcome. */
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
    // The lease of a run may have expired while earlier batches were started.
    await start(
      batch.filter(({ run }) => run.leaseUntil > deps.now()),
      deps,
      signal,
    );
  }
}

/**
 * Finishes the pending runs of due schedules whose jobs exist: the scheduler died between creating and recording them.
 * Returns the schedules without these runs, because a tick that is due after the job was created needs its own run.
 */
export async function endStarted(due: readonly DueSchedule[], deps: StartDeps): Promise<DueSchedule[]> {
  const pending = due.flatMap(({ pendingJobId }) => pendingJobId ?? []);
  if (pending.length === 0) return [...due];
  const found = await deps.jobs.findJobs(pending);
  const states = new Map(found.map(({ id, status }) => [id, status]));
  const at = deps.now();
  const ends = due.flatMap(({ id, pendingJobId: jobId = '' }) => {
    const status = states.get(jobId);
    return status === undefined ? [] : [{ id, jobId, outcome: 'started' as const, status, at }];
  });
  await deps.runs.recordEnds(ends);
  deps.metrics.runs.inc({ outcome: 'started' }, ends.length);
  return due.map((schedule) =>
    states.has(schedule.pendingJobId ?? '') ? { ...schedule, pendingJobId: undefined } : schedule,
  );
}

/** Returns the ids of schedules that skip a run while an earlier one has not finished. */
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
  await deps.runs.recordEnds(
    schedules.map(({ id, run: { jobId } }) => ({ id, jobId, outcome: 'skipped', at })),
  );
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
    outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : [])),
    deps,
  );
}

/** Returns the idempotency key of a tick, which gets one job however often and by whichever scheduler it is created. */
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
    if (job.id !== jobId) return { schedule, end: { id, jobId, outcome: 'repeated' } };
    return { schedule, end: { id, jobId, outcome: 'started', status: job.status, at } };
  }
  const { failure } = created;
  if (failure.code === 'IDEMPOTENCY_CONFLICT') {
    // An earlier attempt created it from settings that have changed since, or is still creating it.
    const job = await deps.jobs.findJob(accountId, jobId);
    if (job) return { schedule, end: { id, jobId, outcome: 'started', status: job.status, at } };
    const message = `The job ${jobId} is not completely stored yet.`;
    return { schedule, error: new AppError('SERVICE_UNAVAILABLE', { message }) };
  }
  if (ERROR_TABLE[failure.code].isRetryable) return { schedule, error: fromFailure(failure) };
  return { schedule, end: { id, jobId, outcome: 'refused', failure, at } };
}

function report({ id, run }: ClaimedSchedule, end: RunEnd, { now, logger, metrics }: StartDeps): void {
  metrics.runs.inc({ outcome: end.outcome });
  if (end.outcome === 'started') metrics.lag.observe((now().getTime() - run.dueAt.getTime()) / 1000);
  if (end.outcome === 'refused') {
    logger.info({ scheduleId: id, failure: end.failure }, 'A run was refused: its job could not be created.');
  }
}

/** Postpones runs for the next scheduler that ticks then; writes one log line for all of them. */
async function postponeRuns(
  failed: readonly FailedStart[],
  { runs, now, logger, metrics, retryDelayMs }: StartDeps,
): Promise<void> {
  const [first] = failed;
  if (!first) return;
  await runs.postpone(
    failed.map(({ schedule: { id, run } }) => {
      const delayMs = retryDelayMsAfter(run.attempts, retryDelayMs);
      return { id, token: run.token, until: new Date(now().getTime() + delayMs) };
    }),
  );
  metrics.runs.inc({ outcome: 'postponed' }, failed.length);
  logger.warn(
    { err: first.error, scheduleId: first.schedule.id, runs: failed.length },
    'Runs could not be started; they will be attempted again.',
  );
}

const LONGEST_MS = 300_000;

/** Returns the delay after so many attempts: the first delay, doubled with each further attempt, at most 5 minutes. */
export function retryDelayMsAfter(attempts: number, firstDelayMs: number): number {
  return backoffMs({ firstMs: firstDelayMs, longestMs: LONGEST_MS, jitter: 'none' }, attempts - 1);
}
