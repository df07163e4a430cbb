import type { Leap } from './test-clock.ts';

/** Interval of the ticks of a schedule. */
export const PERIOD_MS = 5 * 60_000;

/** Observations of one schedule at the end of a run. */
export interface ScheduleRecord {
  readonly id: string;
  /** Its first tick, from the response to its creation. */
  readonly firstTickMs: number;
  /** Ticks that have a job. */
  readonly ranMs: readonly number[];
  /** Number of started jobs according to the schedule. */
  readonly runCount: number;
  /** Number of requests for each of its pages. */
  readonly hits: readonly number[];
}

/** Violations in the runs of a schedule. */
export interface TickFindings {
  /** Ticks that need a run of their own. */
  readonly expected: number;
  /** Ticks skipped by a clock jump and merged into the run of an earlier one. */
  readonly merged: number;
  readonly lost: string[];
  readonly doubled: string[];
}

/**
 * Compares the runs of a schedule with its ticks up to a time. Each tick has one run under its own time, except those that
 * a clock jump skipped, which share one under the time of the first of them.
 */
export function checkTicks(
  { id, firstTickMs, ranMs, runCount, hits }: ScheduleRecord,
  leaps: readonly Leap[],
  untilMs: number,
): TickFindings {
  const lost: string[] = [];
  const doubled: string[] = [];
  const ran = new Set(ranMs);
  const nameOf = (tickMs: number) => `${id} at ${new Date(tickMs).toISOString()}`;
  let merged = 0;
  for (let tickMs = firstTickMs; tickMs <= untilMs; tickMs += PERIOD_MS) {
    if (ran.has(tickMs)) continue;
    if (isInRunBefore(tickMs, ran, leaps)) merged += 1;
    else lost.push(nameOf(tickMs));
  }
  if (ran.size < ranMs.length) doubled.push(`${id}: ${ranMs.length} jobs for ${ran.size} ticks`);
  for (const tickMs of ran) {
    if ((tickMs - firstTickMs) % PERIOD_MS !== 0) doubled.push(`${nameOf(tickMs)} is not one of its ticks`);
  }
  if (runCount !== ranMs.length) doubled.push(`${id}: counts ${runCount} runs, has ${ranMs.length}`);
  for (const count of hits) {
    if (count !== ranMs.length) doubled.push(`${id}: ${ranMs.length} runs, ${count} fetches of a page`);
  }
  return { expected: countTicks(firstTickMs, untilMs) - merged, merged, lost, doubled };
}

function countTicks(firstTickMs: number, untilMs: number): number {
  return Math.max(0, Math.floor((untilMs - firstTickMs) / PERIOD_MS) + 1);
}

/** Returns true when the tick was skipped by a jump and an earlier due tick has run for both. */
function isInRunBefore(tickMs: number, ran: ReadonlySet<number>, leaps: readonly Leap[]): boolean {
  return leaps.some(({ fromMs, toMs }) => {
    if (tickMs > toMs) return false;
    for (let earlier = tickMs - PERIOD_MS; earlier > fromMs - PERIOD_MS; earlier -= PERIOD_MS) {
      if (ran.has(earlier)) return true;
    }
    return false;
  });
}
