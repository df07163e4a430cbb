import type { WatchedProcess } from './start-watched-process.ts';

/** No turn of the event loop of a service takes longer on a quiet machine, in CPU time of its thread. */
const MAX_TURN_MS = 100;
/** Factor by which CPU time grows where other processes share the caches and the memory. */
const TOLERANCE = 3;
/** A turn counts as long if it is so each time: compilations and collections of garbage come by chance. */
const TRIES = 3;

/** Something that a process does, and its name. It throws if the process does not do it to the end. */
export type CostlyCase = readonly [name: string, run: () => Promise<unknown>];

/** Returns the cases that have a long turn of the event loop or an error each time, and what was wrong at last. */
export async function findLongTurns(watched: WatchedProcess, cases: Iterable<CostlyCase>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, run] of cases) {
    const problem = await problemOf(watched, run);
    if (problem !== undefined) found.push(`${name}: ${problem}`);
  }
  return found;
}

async function problemOf(watched: WatchedProcess, run: CostlyCase[1]): Promise<string | undefined> {
  let problem: string | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await watched.longestTurn();
    const error = await run().then(() => undefined, String);
    const ms = await watched.longestTurn();
    problem = error ?? (ms > MAX_TURN_MS * TOLERANCE ? `a turn of ${Math.round(ms)} ms` : undefined);
    if (problem === undefined) break;
  }
  return problem;
}
