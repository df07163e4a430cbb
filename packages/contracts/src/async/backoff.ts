/** Largest share of a delay taken off by jitter, so that simultaneous failures do not retry at the same time. */
const JITTER_SHARES = { none: 0, quarter: 1 / 4, half: 1 / 2 } as const;

/** A delay that doubles, within bounds. */
export interface Backoff {
  readonly firstMs: number;
  /** Unbounded by default. */
  readonly longestMs?: number;
  /** Largest part of the delay that is taken off at random. */
  readonly jitter: keyof typeof JITTER_SHARES;
}

/** More than any delay needs; keeps the power finite for a process that has failed for months. */
const MAX_DOUBLINGS = 40;

/**
 * Returns the delay after so many doublings, in whole milliseconds: `firstMs` after none. `random`, from 0 up to 1,
 * places the delay within its jitter: 0 takes nothing off.
 */
export function backoffMs(
  { firstMs, longestMs = Number.POSITIVE_INFINITY, jitter }: Backoff,
  doublings: number,
  random = 0,
): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(doublings, MAX_DOUBLINGS));
  return Math.round(fullMs * (1 - random * JITTER_SHARES[jitter]));
}
