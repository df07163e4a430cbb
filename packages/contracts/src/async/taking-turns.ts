import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time after which other work gets its turn of the event loop. */
const MAX_BUSY_MS = 10;

/** Returns a function to call between small pieces of long work: it lets other work of the process go first now and then. */
export function takingTurns(): () => Promise<void> {
  let turnBeganMs = performance.now();
  return async () => {
    if (performance.now() - turnBeganMs < MAX_BUSY_MS) return;
    await nextTurn();
    turnBeganMs = performance.now();
  };
}
