/** Folders in which folders still import each other: that does not fail there. */
export const PENDING_CYCLES: readonly string[] = [];
