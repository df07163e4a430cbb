import { randomUUID } from 'node:crypto';
import { type ClaimDeps, claimDue } from './claim-due.ts';
import { endStarted, type StartDeps, startRuns } from './start-runs.ts';

/** Collaborators of a tick. */
export type TickDeps = ClaimDeps &
  StartDeps & {
    /** Time within which a scheduler has to start the runs that it claimed. */
    readonly leaseMs: number;
  };

/** Schedules that are claimed, or read, together. */
const BATCH = 200;

/**
 * Runs one tick: starts the runs that dead schedulers left, starts due ones, and records which have finished. Any number
 * of schedulers may tick at once, and each may die at any point: a due tick becomes a pending run in one write, and a
 * pending run becomes one job, because it holds the id of the job before the job is created.
 */
export async function runTick(deps: TickDeps, signal: AbortSignal): Promise<void> {
  const leftBehind = await deps.runs.takeOver(deps.now(), leaseOf(deps), BATCH);
  await startRuns(leftBehind, deps, signal);
  await startDue(deps, signal);
  await settleRuns(deps, signal);
}

/** Claims and starts batches until nothing is due, or other schedulers have claimed all of it. */
async function startDue(deps: TickDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await endStarted(await deps.runs.findDue(deps.now(), BATCH), deps);
    const claimed = await claimDue(due, leaseOf(deps), deps);
    await startRuns(claimed, deps, signal);
    if (due.length < BATCH || claimed.length === 0) return;
  }
}

function leaseOf({ now, leaseMs }: TickDeps) {
  return { token: randomUUID(), until: new Date(now().getTime() + leaseMs) };
}

/** Copies the states of jobs to the schedules that started them, until each job has finished. */
async function settleRuns({ runs, jobs }: TickDeps, signal: AbortSignal): Promise<void> {
  let afterId = '';
  while (!signal.aborted) {
    const live = await runs.findLive(afterId, BATCH);
    const last = live.at(-1);
    if (!last) return;
    const found = await jobs.findJobs(live.flatMap(({ jobIds }) => jobIds));
    await runs.recordStates(
      live,
      new Map(found.map(({ id, status, crawl }) => [id, { status, changes: crawl?.changes }])),
    );
    afterId = last.id;
    if (live.length < BATCH) return;
  }
}
