import { randomUUID } from 'node:crypto';
import { type ClaimDeps, claimDue } from './claim-due.ts';
import { type SettleDeps, settleRuns } from './settle-runs.ts';
import { type StartDeps, startRuns } from './start-runs.ts';

/** Collaborators of a tick. */
export type TickDeps = ClaimDeps &
  StartDeps &
  SettleDeps & {
    /** How long a scheduler that took runs may take to start them. */
    readonly leaseMs: number;
  };

/** Schedules that are claimed at once. */
const BATCH = 200;

/**
 * One tick: starts what others left, starts what is due, and takes note of what has ended. Any number of schedulers may
 * tick at once, and each may die anywhere: a due tick becomes a pending run in one write, and a pending run becomes one
 * job, because it names the job before there is one.
 */
export async function runTick(deps: TickDeps, signal: AbortSignal): Promise<void> {
  const leftBehind = await deps.runs.takeOver(deps.now(), leaseOf(deps), BATCH);
  await startRuns(leftBehind, deps, signal);
  await startDue(deps, signal);
  await settleRuns(deps, signal);
}

/** Until nothing is due; or nothing to be had, since others are taking it. */
async function startDue(deps: TickDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await deps.runs.findDue(deps.now(), BATCH);
    const claimed = await claimDue(due, leaseOf(deps), deps);
    await startRuns(claimed, deps, signal);
    if (due.length < BATCH || claimed.length === 0) return;
  }
}

function leaseOf({ now, leaseMs }: TickDeps) {
  return { token: randomUUID(), until: new Date(now().getTime() + leaseMs) };
}
