import type { Model } from 'mongoose';
import type { JobDocument } from '../jobs/job-model.ts';
import {
  type Claim,
  claimWrite,
  type DueSchedule,
  endWrite,
  type Lease,
  type LiveRuns,
  type RunEnd,
  type StartedRun,
  type StateOfRun,
  startUpdate,
  statesWrite,
  takeOverWrite,
} from './run-updates.ts';
import type { PendingRun, ScheduleDocument } from './schedule-model.ts';
import { type StoredSchedule, toStoredSchedules } from './stored-schedule.ts';

/** Schedule with a run to start. */
export type ClaimedSchedule = StoredSchedule & { readonly run: PendingRun };

/** New end of the lease of a pending run that is held under this token. */
export interface Postponement {
  readonly id: string;
  readonly token: string;
  readonly until: Date;
}

const DUE_FIELDS = { accountId: 1, revision: 1, cron: 1, timezone: 1, nextRunAt: 1, 'run.jobId': 1 } as const;
/** Schedules that are read together: each may have a megabyte, and the database has to answer in time. */
const READ_AT_ONCE = 20;
const LIVE_FIELDS = { liveJobIds: 1, lastJobId: 1, lastStatus: 1 } as const;

/**
 * Store of scheduled runs; only the scheduler writes it. Each tick becomes one pending run in the same write
 * that advances the schedule, so that no run is lost or doubled whenever a process dies. A run is pending until its end
 * is recorded.
 */
export class ScheduleRunStore {
  readonly #schedules: Model<ScheduleDocument>;
  readonly #jobs: Model<JobDocument>;

  constructor(schedules: Model<ScheduleDocument>, jobs: Model<JobDocument>) {
    this.#schedules = schedules;
    this.#jobs = jobs;
  }

  /** Returns active schedules that are due, the longest overdue first. */
  async findDue(now: Date, limit: number): Promise<DueSchedule[]> {
    const documents = await this.#schedules
      .find(dueFilter(now))
      .select(DUE_FIELDS)
      .sort({ nextRunAt: 1 })
      .limit(limit)
      .lean();
    return documents.map(toDue);
  }

  /** Claims ticks; returns the schedules whose run the caller has to start, without ticks that other processes claimed. */
  async claim(claims: readonly Claim[], lease: Lease): Promise<ClaimedSchedule[]> {
    if (claims.length === 0) return [];
    await this.#writeAll(claims.map((claim) => claimWrite(claim, lease)));
    return await this.#findTaken(
      claims.map(({ id }) => id),
      lease.token,
    );
  }

  /**
   * Takes pending runs whose lease has expired, because their holder died or could not start them. A paused schedule
   * drops its run, unless that has become a job whose start was not recorded.
   */
  async takeOver(now: Date, lease: Lease, limit: number): Promise<ClaimedSchedule[]> {
    const documents = await this.#schedules
      .find({ 'run.leaseUntil': { $lte: now } })
      .select({ status: 1, 'run.token': 1, 'run.jobId': 1 })
      .limit(limit)
      .lean();
    if (documents.length === 0) return [];
    const paused = documents.filter(({ status }) => status === 'paused');
    const started = new Map((await this.#findStarted(paused)).map((end) => [end.id, end]));
    await this.#writeAll(
      documents.map((document) => {
        const end = started.get(document._id);
        return end ? endWrite(end) : takeOverWrite(document, lease);
      }),
    );
    return await this.#findTaken(
      documents.map(({ _id }) => _id),
      lease.token,
    );
  }

  /** Postpones pending runs, each unless another process has taken it; they may be taken again from `until`. */
  async postpone(postponements: readonly Postponement[]): Promise<void> {
    await this.#writeAll(
      postponements.map(({ id, token, until }) => ({
        filter: { _id: id, 'run.token': token },
        update: { $set: { 'run.leaseUntil': until } },
      })),
    );
  }

  /** Records the outcomes of pending runs; idempotent. */
  async recordEnds(ends: readonly RunEnd[]): Promise<void> {
    await this.#writeAll(ends.map(endWrite));
  }

  /** Records a run outside the ticks; idempotent. */
  async recordExtraRun(id: string, started: StartedRun): Promise<void> {
    const { jobId } = started;
    const isNew = { lastJobId: { $ne: jobId }, liveJobIds: { $ne: jobId } };
    await this.#schedules.updateOne({ _id: id, ...isNew }, startUpdate(id, started));
  }

  /** Returns runs that are not known to have finished, by schedule in the order of ids, after `afterId`. */
  async findLive(afterId: string, limit: number): Promise<LiveRuns[]> {
    const documents = await this.#schedules
      .find(liveFilter(afterId))
      .select(LIVE_FIELDS)
      .sort({ liveKey: 1 })
      .limit(limit)
      .lean();
    return documents.map(({ _id, liveJobIds = [], lastJobId, lastStatus }) => ({
      id: _id,
      jobIds: liveJobIds,
      lastJobId,
      lastStatus,
    }));
  }

  /** Records the states of the jobs of live runs; a job without a state here no longer exists. */
  async recordStates(live: readonly LiveRuns[], states: ReadonlyMap<string, StateOfRun>): Promise<void> {
    const writes = live.flatMap((runs) => statesWrite(runs, states) ?? []);
    await this.#writeAll(writes);
  }

  async #findTaken(ids: readonly string[], token: string): Promise<ClaimedSchedule[]> {
    const taken: StoredSchedule[] = [];
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      const some = ids.slice(start, start + READ_AT_ONCE);
      const documents = await this.#schedules.find({ _id: { $in: some }, 'run.token': token }).lean();
      taken.push(...(await toStoredSchedules(documents)));
    }
    return taken as ClaimedSchedule[];
  }

  /** Returns the runs that have become jobs without a recorded end. */
  async #findStarted(documents: readonly Pick<ScheduleDocument, '_id' | 'run'>[]): Promise<RunEnd[]> {
    const runs = new Map(documents.flatMap(({ _id, run }) => (run ? [[run.jobId, _id] as const] : [])));
    if (runs.size === 0) return [];
    const ids = [...runs.keys()];
    const found = await this.#jobs.find({ _id: { $in: ids } }, { status: 1, createdAt: 1 }).lean();
    return found.flatMap(({ _id: jobId, status, createdAt: at }): RunEnd[] => {
      const id = runs.get(jobId);
      if (id === undefined || status === 'draft' || status === 'expired') return [];
      return [{ id, jobId, outcome: 'started', status, at }];
    });
  }

  async #writeAll(writes: readonly ReturnType<typeof endWrite>[]): Promise<void> {
    if (writes.length === 0) return;
    await this.#schedules.bulkWrite(
      writes.map((write) => ({ updateOne: write })),
      { ordered: false },
    );
  }
}

/** Returns the filter of due schedules. */
export function dueFilter(now: Date) {
  return { status: 'active' as const, nextRunAt: { $lte: now } };
}

/** Returns the filter of schedules with live runs. */
export function liveFilter(afterId: string) {
  return { liveKey: { $gt: afterId } };
}

function toDue(document: ScheduleDocument): DueSchedule {
  const { _id: id, accountId, revision, cron, timezone, nextRunAt, run } = document;
  if (nextRunAt === null) throw new Error(`The due schedule ${id} has no next run.`);
  return { id, accountId, revision, cron, timezone, dueAt: nextRunAt, pendingJobId: run?.jobId };
}
