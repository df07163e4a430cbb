export const DAY_MS = 24 * 3600_000;

/** A charge may come into the ledger so much later than it says: a write that was repeated, a clock that is behind. */
export const COUNT_AFTER_MS = 5 * 60_000;

/** Nothing comes so late: not from a process that was paused, not from a clock that was wrong. */
export const CHECK_AFTER_MS = 24 * 3600_000;

/** How long the ledger may grow before it is counted on. */
export const PACE_MS = 60_000;
