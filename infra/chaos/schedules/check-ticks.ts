import type { Leap } from './test-clock.ts';

/** How far apart the ticks of a schedule are. */
export const PERIOD_MS = 5 * 60_000;

/** What is known of one schedule when all is over. */
export interface ScheduleRecord {
  readonly id: string;
  /** Its first tick, as it was answered when it was made. */
  readonly firstTickMs: number;
  /** The ticks that its jobs were made for. */
  readonly ranMs: readonly number[];
  /** How many jobs it says that it has started. */
  readonly runCount: number;
  /** How often its page was fetched. */
  readonly hits: number;
}

/** Faults in what a schedule has run. */
export interface TickFindings {
  /** Ticks that had to have a run of their own. */
  readonly expected: number;
  /** Ticks that were leapt over and had a run together with one before. */
  readonly merged: number;
  readonly lost: string[];
  readonly doubled: string[];
}

/**
 * Holds the runs of a schedule against its ticks until a moment: each tick has one run, under its own time, but those
 * that the clock leapt over, which have one together under the time of the first of them.
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
    if ((tickMs - firstTickMs) % PERIOD_MS !== 0) doubled.push(`${nameOf(tickMs)} is no tick of it`);
  }
  if (runCount !== ranMs.length) doubled.push(`${id}: counts ${runCount} runs, has ${ranMs.length}`);
  if (hits !== ranMs.length) doubled.push(`${id}: ${ranMs.length} runs, ${hits} fetches`);
  return { expected: countTicks(firstTickMs, untilMs) - merged, merged, lost, doubled };
}

function countTicks(firstTickMs: number, untilMs: number): number {
  return Math.max(0, Math.floor((untilMs - firstTickMs) / PERIOD_MS) + 1);
}

/** Whether the tick was leapt over, and an earlier one that was due by then has run for both. */
function isInRunBefore(tickMs: number, ran: ReadonlySet<number>, leaps: readonly Leap[]): boolean {
  return leaps.some(({ fromMs, toMs }) => {
    if (tickMs > toMs) return false;
    for (let earlier = tickMs - PERIOD_MS; earlier > fromMs - PERIOD_MS; earlier -= PERIOD_MS) {
      if (ran.has(earlier)) return true;
    }
    return false;
  });
}
