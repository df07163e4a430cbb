/** The states of a job. Terminal ones never change. */
export const JOB_STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The states of a finished job. */
export const TERMINAL_JOB_STATES = [
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const satisfies JobState[];

/** Returns true for a job that does not change any more. A cancelled one may still have pages in flight. */
export function hasFinished({ completedAt }: { readonly completedAt?: unknown }): boolean {
  return completedAt !== undefined;
}

/** Returns true for the states of a finished job. */
export function isTerminal(state: JobState): boolean {
  return TERMINAL_JOB_STATES.some((terminal) => terminal === state);
}
