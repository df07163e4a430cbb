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

/** Longest rest after a tick without work. The runs of dead schedulers wait for its end. */
const REST_MS = 5000;
/** A rest ends this long before a schedule is due, so that the tick of that second does not come too soon. */
const LEAD_MS = 500;

/** The ticks of a scheduler, which rest while nothing is due. */
export interface Ticks {
  tick(signal: AbortSignal): Promise<void>;
  /** Ends a rest, because a schedule may have changed. */
  wake(): void;
}

/** Returns the ticks of a scheduler. After one without work, they rest until a schedule is due or a command has come. */
export function createTicks(deps: TickDeps, longestRestMs = REST_MS): Ticks {
  let restsUntilMs = 0;
  let changes = 0;
  return {
    async tick(signal) {
      if (performance.now() < restsUntilMs) return;
      const changesBefore = changes;
      if (await runTick(deps, signal)) return;
      const restMs = await findRest(deps, longestRestMs);
      if (changes === changesBefore) restsUntilMs = performance.now() + restMs;
    },
    wake() {
      changes += 1;
      restsUntilMs = 0;
    },
  };
}

/** Returns for how long nothing is due, in milliseconds. */
async function findRest({ runs, now }: TickDeps, longestMs: number): Promise<number> {
  const nowMs = now().getTime();
  const [next] = await runs.findDue(new Date(nowMs + longestMs), 1);
  return (next ? next.dueAt.getTime() - nowMs : longestMs) - LEAD_MS;
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
