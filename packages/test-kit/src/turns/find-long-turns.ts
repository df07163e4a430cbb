import type { WatchedProcess } from './start-watched-process.ts';

/** CPU time of the longest turn of the event loop of a service on a quiet machine. */
const MAX_TURN_MS = 100;
/**
 * The same in units of a fixed piece of work by the same process before and after, some 100 ms long on a quiet machine, for
 * machines that are slower or share their caches and memory with other processes.
 */
const MAX_TURN_UNITS = 1.3;
/** A turn counts as long if it is so each time: compilations and collections of garbage come by chance. */
const TRIES = 6;

/** Something that a process does, and its name. It throws if the process does not do it to the end. */
export type CostlyCase = readonly [name: string, run: () => Promise<unknown>];

/**
 * Returns the cases that have a long turn of the event loop or an error each time, and what was wrong at last. While a case
 * runs, a bystander calls again and again: each of its calls must be answered.
 */
export async function findLongTurns(
  watched: WatchedProcess,
  cases: Iterable<CostlyCase>,
  callBeside?: () => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, run] of cases) {
    const problem = await problemOf(watched, callBeside ? () => runBeside(run, callBeside) : run);
    if (problem !== undefined) found.push(`${name}: ${problem}`);
  }
  return found;
}

async function runBeside(run: CostlyCase[1], call: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const work = run().finally(() => {
    isOver = true;
  });
  const calling = async () => {
    do await call().catch((error) => Promise.reject(new Error(`a bystander's call: ${error}`)));
    while (!isOver);
  };
  const ends = await Promise.allSettled([work, calling()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function problemOf(watched: WatchedProcess, run: CostlyCase[1]): Promise<string | undefined> {
  let problem: string | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { error, units, ms } = await measure(watched, run);
    const isLong = ms > MAX_TURN_MS && units > MAX_TURN_UNITS;
    problem = error ?? (isLong ? `a turn of ${Math.round(ms)} ms, ${units.toFixed(2)} units` : undefined);
    if (problem === undefined) break;
  }
  return problem;
}

async function measure(watched: WatchedProcess, run: CostlyCase[1]) {
  const before = await watched.calibrate();
  await watched.longestTurn();
  const error = await run().then(() => undefined, String);
  const ms = await watched.longestTurn();
  const after = await watched.calibrate();
  return { error, ms, units: ms / Math.max(before, after) };
}
