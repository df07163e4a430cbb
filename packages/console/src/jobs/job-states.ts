import type { Job } from '@gleaner/client';

const FINISHED: ReadonlySet<Job['status']> = new Set(['completed', 'partial', 'failed', 'cancelled']);

/** Returns true for states that never change. */
export function isFinished(status: Job['status']): boolean {
  return FINISHED.has(status);
}
