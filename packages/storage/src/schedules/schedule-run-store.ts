import type { JobState } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import {
  type Claim,
  claimWrite,
  type DueSchedule,
  endWrite,
  type Lease,
  type LiveRuns,
  type RunEnd,
  type StartedRun,
  settleWrite,
  startUpdate,
  takeOverWrite,
} from './run-updates.ts';
import type { PendingRun, ScheduleDocument } from './schedule-model.ts';
import { type StoredSchedule, toStoredSchedule } from './stored-schedule.ts';

/** A schedule with a run to start. */
export type ClaimedSchedule = StoredSchedule & { readonly run: PendingRun };

/** Until when a pending run, held under this token, shall be left alone. */
export interface Postponement {
  readonly id: string;
  readonly token: string;
  readonly until: Date;
}

export type ScheduleRunStore = ReturnType<typeof createScheduleRunStore>;

const DUE_FIELDS = { accountId: 1, revision: 1, cron: 1, timezone: 1, nextRunAt: 1, 'run.jobId': 1 } as const;
const LIVE_FIELDS = { liveJobIds: 1, lastJobId: 1, lastStatus: 1 } as const;

/**
 * The runs of schedules: each tick becomes one pending run in the same write that moves the schedule on, so that none
 * is lost or doubled whoever dies when. A run is pending until its end is recorded. Written by the scheduler alone.
 */
export function createScheduleRunStore({ models }: Pick<Database, 'models'>) {
  const schedules = driverCollection(models.schedules);

  async function writeAll(writes: readonly ReturnType<typeof endWrite>[]): Promise<void> {
    if (writes.length === 0) return;
    await schedules.bulkWrite(
      writes.map((write) => ({ updateOne: write })),
      { ordered: false },
    );
  }

  async function findTaken(ids: readonly string[], token: string): Promise<ClaimedSchedule[]> {
    const documents = await schedules.find({ _id: { $in: [...ids] }, 'run.token': token }).toArray();
    return documents.map((document) => toStoredSchedule(document) as ClaimedSchedule);
  }

  return guarded({
    /** Active schedules whose time has come, the longest overdue first. */
    async findDue(now: Date, limit: number): Promise<DueSchedule[]> {
      const documents = await schedules
        .find(dueFilter(now), { projection: DUE_FIELDS })
        .sort({ nextRunAt: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toDue);
    },

    /** Takes ticks; the schedules whose run this caller has to start. The ticks that others took are theirs. */
    async claim(claims: readonly Claim[], lease: Lease): Promise<ClaimedSchedule[]> {
      if (claims.length === 0) return [];
      await writeAll(claims.map((claim) => claimWrite(claim, lease)));
      return await findTaken(
        claims.map(({ id }) => id),
        lease.token,
      );
    },

    /** Takes pending runs whose lease has ended: their holder died, or could not start them. A paused one is dropped. */
    async takeOver(now: Date, lease: Lease, limit: number): Promise<ClaimedSchedule[]> {
      const documents = await schedules
        .find({ 'run.leaseUntil': { $lte: now } }, { projection: { status: 1, 'run.token': 1 } })
        .limit(limit)
        .toArray();
      if (documents.length === 0) return [];
      await writeAll(documents.map((document) => takeOverWrite(document, lease)));
      return await findTaken(
        documents.map(({ _id }) => _id),
        lease.token,
      );
    },

    /** Lets pending runs be taken again from a later moment on, each unless another has taken it. */
    async postpone(postponements: readonly Postponement[]): Promise<void> {
      await writeAll(
        postponements.map(({ id, token, until }) => ({
          filter: { _id: id, 'run.token': token },
          update: { $set: { 'run.leaseUntil': until } },
        })),
      );
    },

    /** Notes what became of pending runs; once more changes nothing. */
    async recordEnds(ends: readonly RunEnd[]): Promise<void> {
      await writeAll(ends.map(endWrite));
    },

    /** Notes a run outside the ticks; once more changes nothing. */
    async recordExtraRun(id: string, started: StartedRun): Promise<void> {
      const { jobId } = started;
      const isNew = { lastJobId: { $ne: jobId }, liveJobIds: { $ne: jobId } };
      await schedules.updateOne({ _id: id, ...isNew }, startUpdate(id, started));
    },

    /** Runs that are not known to have ended, by schedule in the order of their ids, after one of them. */
    async findLive(afterId: string, limit: number): Promise<LiveRuns[]> {
      const documents = await schedules
        .find(liveFilter(afterId), { projection: LIVE_FIELDS })
        .sort({ liveKey: 1 })
        .limit(limit)
        .toArray();
      return documents.map(({ _id, liveJobIds = [], lastJobId, lastStatus }) => ({
        id: _id,
        jobIds: liveJobIds,
        lastJobId,
        lastStatus,
      }));
    },

    /** Notes how the jobs of live runs stand; a job that has no state here is gone. */
    async recordStates(live: readonly LiveRuns[], statuses: ReadonlyMap<string, JobState>): Promise<void> {
      await writeAll(live.flatMap((runs) => settleWrite(runs, statuses) ?? []));
    },
  });
}

/** What a tick looks for. */
export function dueFilter(now: Date) {
  return { status: 'active' as const, nextRunAt: { $lte: now } };
}

/** What settling looks for. */
export function liveFilter(afterId: string) {
  return { liveKey: { $gt: afterId } };
}

function toDue(document: ScheduleDocument): DueSchedule {
  const { _id: id, accountId, revision, cron, timezone, nextRunAt, run } = document;
  if (nextRunAt === null) throw new Error(`The schedule ${id} is due without a time.`);
  return { id, accountId, revision, cron, timezone, dueAt: nextRunAt, pendingJobId: run?.jobId };
}
