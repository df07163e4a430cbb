import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees the garbage of the start. V8 itself would keep it, some megabytes in each process, for as long as the process
 * has little to do. Blocks for some 50 ms, so call it before the process takes work. See docs/decisions/patches.md.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Cached modules are valid only for the flags that they were compiled with.
  setFlagsFromString('--no-expose-gc');
  collect();
}
