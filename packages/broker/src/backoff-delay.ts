const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;

/**
 * How long to wait before the next attempt, doubling from 100 ms to 5 s; `random` (0 to 1) takes off up to
 * half of it, so that a fleet does not come back in step. `attempt` counts from 0.
 */
export function backoffDelayMs(attempt: number, random: number): number {
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return Math.round(delayMs * (1 - random / 2));
}
