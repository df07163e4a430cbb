import { type CrawlChanges, defined, type Failure, isTerminal, type JobState } from '@gleaner/contracts';
import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { PendingRun, ScheduleDocument } from './schedule-model.ts';

/** Due schedule, with the fields that a claim is made from. */
export interface DueSchedule {
  readonly id: string;
  readonly accountId: string;
  readonly revision: number;
  readonly cron: string;
  readonly timezone: string;
  readonly dueAt: Date;
  /** Run of an earlier tick that is not known to have started. */
  readonly pendingJobId: string | undefined;
}

/** Claim of a tick: the run that it becomes, and the time of the next tick. */
export interface Claim extends Pick<DueSchedule, 'id' | 'revision' | 'dueAt' | 'pendingJobId'> {
  readonly nextRunAt: Date;
  /** Id of the job, if the tick becomes a run. */
  readonly jobId: string;
}

/** Lease under which a process holds runs. */
export interface Lease {
  /** Different for each lease. */
  readonly token: string;
  readonly until: Date;
}

/** Job that a schedule started, and its state. */
export interface StartedRun {
  readonly jobId: string;
  readonly status: JobState;
  readonly at: Date;
}

/** Outcome of a pending run; `repeated` means that its tick had a run before and needs no other. */
export type RunEnd = { readonly id: string; readonly jobId: string } & (
  | { readonly outcome: 'started'; readonly status: JobState; readonly at: Date }
  | { readonly outcome: 'skipped'; readonly at: Date }
  | { readonly outcome: 'refused'; readonly failure: Failure; readonly at: Date }
  | { readonly outcome: 'repeated' }
);

/** State of the job of a run, with the changes that its crawl found. */
export interface StateOfRun {
  readonly status: JobState;
  readonly changes?: CrawlChanges | undefined;
}

/** Runs of a schedule whose jobs are not known to have finished, oldest first, and what is shown of the last one. */
export interface LiveRuns {
  readonly id: string;
  readonly jobIds: readonly string[];
  readonly lastJobId: string | null;
  readonly lastStatus: ScheduleDocument['lastStatus'];
}

type Update = UpdateQuery<ScheduleDocument>;
type Writes = { readonly filter: QueryFilter<ScheduleDocument>; readonly update: Update };

/** Number of runs at the same time that are followed; of more, the oldest are dropped. */
const MAX_LIVE_RUNS = 50;

/**
 * Returns the write for claiming a tick. A tick that comes while a run is pending becomes part of that run;
 * the write has no effect if the run has ended since it was read.
 */
export function claimWrite(
  { id, revision, dueAt, nextRunAt, jobId, pendingJobId }: Claim,
  lease: Lease,
): Writes {
  const tick = { _id: id, status: 'active' as const, revision, nextRunAt: dueAt };
  const taken = { nextRunAt, lastDueAt: dueAt };
  if (pendingJobId !== undefined)
    return { filter: { ...tick, 'run.jobId': pendingJobId }, update: { $set: taken } };
  const run: PendingRun = { jobId, dueAt, token: lease.token, leaseUntil: lease.until, attempts: 1 };
  return { filter: { ...tick, run: { $exists: false } }, update: { $set: { ...taken, run } } };
}

/** Returns the write that takes a run from its holder; the run of a paused schedule is dropped. */
export function takeOverWrite({ _id, status, run }: ScheduleDocument, lease: Lease): Writes {
  const filter = { _id, status, 'run.token': run?.token ?? '' };
  if (status === 'paused') return { filter, update: { $unset: { run: 1 } } };
  const taken = { 'run.token': lease.token, 'run.leaseUntil': lease.until };
  return { filter, update: { $set: taken, $inc: { 'run.attempts': 1 } } };
}

/** Returns the write that ends a pending run; idempotent. */
export function endWrite(end: RunEnd): Writes {
  const filter = { _id: end.id, 'run.jobId': end.jobId };
  return { filter, update: { ...endUpdate(end), $unset: { run: 1 } } };
}

function endUpdate(end: RunEnd): Update {
  switch (end.outcome) {
    case 'started':
      return startUpdate(end.id, end);
    case 'skipped':
      return { $set: { lastSkippedAt: end.at }, $inc: { skippedCount: 1 } };
    case 'refused': {
      const lastErrorJson = JSON.stringify(end.failure);
      return { $set: { lastRunAt: end.at, lastJobId: null, lastStatus: 'refused', lastErrorJson } };
    }
    case 'repeated':
      return {};
  }
}

/** Returns the update that records a started run. */
export function startUpdate(id: string, { jobId, status, at }: StartedRun): Update {
  return {
    $set: { lastRunAt: at, lastJobId: jobId, lastStatus: status, lastErrorJson: null, liveKey: id },
    $push: { liveJobIds: { $each: [jobId], $slice: -MAX_LIVE_RUNS } },
    $inc: { runCount: 1 },
  };
}

/**
 * Returns the write of the states of live runs, which has no effect if a run was started or refused since they were
 * read; undefined if nothing has changed. A missing job keeps the state that was last known.
 */
export function statesWrite(live: LiveRuns, runs: ReadonlyMap<string, StateOfRun>): Writes | undefined {
  const { id, jobIds, lastJobId } = live;
  const left = jobIds.filter((jobId) => {
    const run = runs.get(jobId);
    return run !== undefined && !isTerminal(run.status);
  });
  const lastStatus = runs.get(lastJobId ?? '')?.status ?? live.lastStatus;
  const lastChanges = jobIds
    .flatMap((jobId) => runs.get(jobId) ?? [])
    .findLast(({ status, changes }) => changes && isTerminal(status))?.changes;
  const noted = { lastStatus, ...defined({ lastChanges }) };
  if (left.length === jobIds.length && lastStatus === live.lastStatus) return undefined;
  const filter = { _id: id, liveJobIds: [...jobIds], lastJobId };
  const update =
    left.length > 0
      ? { $set: { ...noted, liveJobIds: left } }
      : { $set: noted, $unset: { liveJobIds: 1 as const, liveKey: 1 as const } };
  return { filter, update };
}
