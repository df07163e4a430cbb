/** The states of a job. Terminal ones never change. */
export const JOB_STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The states that a job ends in. */
export const TERMINAL_JOB_STATES = [
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const satisfies JobState[];

/** Whether a job in this state has ended. */
export function isTerminal(state: JobState): boolean {
  return TERMINAL_JOB_STATES.some((terminal) => terminal === state);
}
