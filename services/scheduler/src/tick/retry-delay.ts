import { backoffMs } from '@gleaner/contracts';

const LONGEST_MS = 300_000;

/** Returns the delay after so many attempts: the first delay, doubled with each further attempt, at most 5 minutes. */
export function retryDelayMsAfter(attempts: number, firstDelayMs: number): number {
  return backoffMs({ firstMs: firstDelayMs, longestMs: LONGEST_MS, jitter: 'none' }, attempts - 1);
}
