import { type Failure, isTerminal, type JobState } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import type { PendingRun, ScheduleDocument } from './schedule-model.ts';

/** A schedule whose time has come, with what a claim is made from. */
export interface DueSchedule {
  readonly id: string;
  readonly accountId: string;
  readonly revision: number;
  readonly cron: string;
  readonly timezone: string;
  readonly dueAt: Date;
  /** A run of an earlier tick that is not known to be started. */
  readonly pendingJobId: string | undefined;
}

/** The wish to take a tick: the run that it becomes, and when the next one comes. */
export interface Claim extends Pick<DueSchedule, 'id' | 'revision' | 'dueAt' | 'pendingJobId'> {
  readonly nextRunAt: Date;
  /** Of the run, if it becomes one. */
  readonly jobId: string;
}

/** Who takes runs, and for how long. */
export interface Lease {
  /** New each time. */
  readonly token: string;
  readonly until: Date;
}

/** A job that a schedule started, and how it stands. */
export interface StartedRun {
  readonly jobId: string;
  readonly status: JobState;
  readonly at: Date;
}

/** What became of a pending run; `repeated`: its tick has had a run before, and needs no other. */
export type RunEnd = { readonly id: string; readonly jobId: string } & (
  | { readonly what: 'started'; readonly status: JobState; readonly at: Date }
  | { readonly what: 'skipped'; readonly at: Date }
  | { readonly what: 'refused'; readonly failure: Failure; readonly at: Date }
  | { readonly what: 'repeated' }
);

/** The runs of a schedule whose jobs are not known to have ended, oldest first, and what is shown of the last. */
export interface LiveRuns {
  readonly id: string;
  readonly jobIds: readonly string[];
  readonly lastJobId: string | null;
  readonly lastStatus: ScheduleDocument['lastStatus'];
}

type Update = mongo.UpdateFilter<ScheduleDocument>;
type Writes = { readonly filter: mongo.Filter<ScheduleDocument>; readonly update: Update };

/** Of more runs side by side the oldest are not looked at any more. */
const MAX_LIVE_RUNS = 50;

/** A tick that comes while a run waits to be started becomes part of that run; it may not have ended meanwhile. */
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

/** Takes a run from its holder; that of a paused schedule is dropped. */
export function takeOverWrite({ _id, status, run }: ScheduleDocument, lease: Lease): Writes {
  const filter = { _id, status, 'run.token': run?.token ?? '' };
  if (status === 'paused') return { filter, update: { $unset: { run: 1 } } };
  const taken = { 'run.token': lease.token, 'run.leaseUntil': lease.until };
  return { filter, update: { $set: taken, $inc: { 'run.attempts': 1 } } };
}

/** Ends a pending run; once more changes nothing. */
export function endWrite(end: RunEnd): Writes {
  const filter = { _id: end.id, 'run.jobId': end.jobId };
  return { filter, update: { ...endUpdate(end), $unset: { run: 1 } } };
}

function endUpdate(end: RunEnd): Update {
  switch (end.what) {
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

/** A run begins to live. */
export function startUpdate(id: string, { jobId, status, at }: StartedRun): Update {
  return {
    $set: { lastRunAt: at, lastJobId: jobId, lastStatus: status, lastErrorJson: null, liveKey: id },
    $push: { liveJobIds: { $each: [jobId], $slice: -MAX_LIVE_RUNS } },
    $inc: { runCount: 1 },
  };
}

/**
 * What is to be written of live runs whose jobs stand so, unless a run was started or refused meanwhile; undefined
 * when nothing is new. Of a job that is gone, what was last known of it stays.
 */
export function settleWrite(live: LiveRuns, statuses: ReadonlyMap<string, JobState>): Writes | undefined {
  const { id, jobIds, lastJobId } = live;
  const left = jobIds.filter((jobId) => {
    const status = statuses.get(jobId);
    return status !== undefined && !isTerminal(status);
  });
  const lastStatus = statuses.get(lastJobId ?? '') ?? live.lastStatus;
  if (left.length === jobIds.length && lastStatus === live.lastStatus) return undefined;
  const filter = { _id: id, liveJobIds: [...jobIds], lastJobId };
  const update =
    left.length > 0
      ? { $set: { lastStatus, liveJobIds: left } }
      : { $set: { lastStatus }, $unset: { liveJobIds: 1 as const, liveKey: 1 as const } };
  return { filter, update };
}
