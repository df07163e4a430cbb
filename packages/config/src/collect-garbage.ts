import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back what starting has left behind: V8 itself would keep it for as long as a process has little to do, some
 * megabytes each. Takes some 50 ms, so it is for a process that nobody waits for yet.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Cached modules are good for the flags alone that they were compiled with.
  setFlagsFromString('--no-expose-gc');
  collect();
}
