const LONGEST_DELAY_MS = 10_000;

/** How long to wait before a process is started again: at once after its first failure, then 0.5 s doubling to 10 s. */
export function restartDelayMs(failuresInARow: number): number {
  if (failuresInARow <= 1) return 0;
  return Math.min(LONGEST_DELAY_MS, 500 * 2 ** (failuresInARow - 2));
}
