import { randomUUID } from 'node:crypto';
import { type ClaimDeps, claimDue } from './claim-due.ts';
import { endStarted, type StartDeps, startRuns } from './start-runs.ts';

/** Collaborators of a tick. */
export type TickDeps = ClaimDeps &
  StartDeps & {
    /** Time for a scheduler to start its claimed runs. */
    readonly leaseMs: number;
    readonly noteWork?: ((name: string) => void) | undefined;
  };

/** Schedules that are claimed, or read, together. */
const BATCH = 200;

/** Ticks for due schedules alone, after a tick without work. */
const REST_TICKS = 4;

/** Returns the tick of a scheduler. After one without work, the next few look for due schedules alone. */
export function createTick(deps: TickDeps): (signal: AbortSignal) => Promise<void> {
  let restTicks = 0;
  return async (signal) => {
    const isResting = restTicks > 0;
    const hasFound = await (isResting ? startDue : runTick)(deps, signal);
    if (hasFound) restTicks = 0;
    else restTicks = isResting ? restTicks - 1 : REST_TICKS;
  };
}

/**
 * Runs one tick: starts the runs that dead schedulers left, starts due ones, and records which have finished. Any number
 * of schedulers may tick at once, and each may die at any point: a due tick becomes a pending run in one write, and a
 * pending run becomes one job, because it holds the id of the job before the job is created. Returns whether there was
 * anything to do.
 */
export async function runTick(deps: TickDeps, signal: AbortSignal): Promise<boolean> {
  const leftBehind = await deps.runs.takeOver(deps.now(), leaseOf(deps), BATCH);
  await startRuns(leftBehind, deps, signal);
  const hasStarted = await startDue(deps, signal);
  const hasLive = await settleRuns(deps, signal);
  return leftBehind.length > 0 || hasStarted || hasLive;
}

/** Claims and starts batches until nothing is due, or other schedulers have claimed all of it. Returns whether anything was due. */
async function startDue(deps: TickDeps, signal: AbortSignal): Promise<boolean> {
  let hasFound = false;
  while (!signal.aborted) {
    const due = await endStarted(await deps.runs.findDue(deps.now(), BATCH), deps);
    if (due.length > 0) deps.noteWork?.('schedule');
    const claimed = await claimDue(due, leaseOf(deps), deps);
    await startRuns(claimed, deps, signal);
    if (due.length > 0) deps.noteWork?.('schedule');
    hasFound ||= due.length > 0;
    if (due.length < BATCH || claimed.length === 0) break;
  }
  return hasFound;
}

function leaseOf({ now, leaseMs }: TickDeps) {
  return { token: randomUUID(), until: new Date(now().getTime() + leaseMs) };
}

/** Copies the states of jobs to the schedules that started them, until each job has finished. Returns whether there were any. */
async function settleRuns({ runs, jobs }: TickDeps, signal: AbortSignal): Promise<boolean> {
  let afterId = '';
  while (!signal.aborted) {
    const live = await runs.findLive(afterId, BATCH);
    const last = live.at(-1);
    if (!last) break;
    const found = await jobs.findJobs(live.flatMap(({ jobIds }) => jobIds));
    await runs.recordStates(
      live,
      new Map(found.map(({ id, status, crawl }) => [id, { status, changes: crawl?.changes }])),
    );
    afterId = last.id;
    if (live.length < BATCH) break;
  }
  return afterId !== '';
}
