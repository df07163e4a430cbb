import { JOB_STATES, type JobEventType, type JobState } from '@gleaner/contracts';

/** Triggers that change a job's state. */
export const JOB_TRIGGERS = [
  'page-dispatched',
  'all-succeeded',
  'some-failed',
  'all-failed',
  'cancelled',
] as const;
export type JobTrigger = (typeof JOB_TRIGGERS)[number];

/** The next state by state and trigger; a trigger that is not listed does nothing. Other terminal states have no row. */
const TRANSITIONS: Readonly<Partial<Record<JobState, Readonly<Partial<Record<JobTrigger, JobState>>>>>> = {
  pending: {
    'page-dispatched': 'running',
    // A job without credits for any page finishes before one was dispatched.
    'all-failed': 'failed',
    cancelled: 'cancelled',
  },
  running: {
    'all-succeeded': 'completed',
    'some-failed': 'partial',
    'all-failed': 'failed',
    cancelled: 'cancelled',
  },
  // A cancelled job finishes once its pages are cancelled.
  cancelled: { cancelled: 'cancelled' },
};

/** The event of entering each state. */
const EVENT_TYPES: Readonly<Record<Exclude<JobState, 'pending'>, JobEventType>> = {
  running: 'job.started',
  completed: 'job.completed',
  partial: 'job.partial',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
};

/** Effect of a trigger: the source states, the target state, and the event. */
export interface JobChange {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly eventType: JobEventType;
}

/** Returns the state after the trigger, or undefined if it does nothing. */
export function nextState(state: JobState, trigger: JobTrigger): JobState | undefined {
  return TRANSITIONS[state]?.[trigger];
}

/** Returns the effect of a trigger, for a store that changes a job only from one of the listed states. */
export function changeOf(trigger: JobTrigger): JobChange {
  const from = JOB_STATES.filter((state) => nextState(state, trigger) !== undefined);
  const to = from.map((state) => nextState(state, trigger))[0];
  if (to === undefined || to === 'pending') throw new Error(`No state can take "${trigger}".`);
  return { from, to, eventType: EVENT_TYPES[to] };
}
