import { JOB_STATES, type JobEventType, type JobState } from '@gleaner/contracts';

/** What can happen to a job. */
export const JOB_TRIGGERS = [
  'page-dispatched',
  'all-succeeded',
  'some-failed',
  'all-failed',
  'cancelled',
] as const;
export type JobTrigger = (typeof JOB_TRIGGERS)[number];

/** Which trigger leads from which state to which; what is not here cannot happen. Terminal states have no row. */
const TRANSITIONS: Readonly<Partial<Record<JobState, Readonly<Partial<Record<JobTrigger, JobState>>>>>> = {
  pending: {
    'page-dispatched': 'running',
    // A job can end without a page having been dispatched: when there are no credits for any.
    'all-failed': 'failed',
    cancelled: 'cancelled',
  },
  running: {
    'all-succeeded': 'completed',
    'some-failed': 'partial',
    'all-failed': 'failed',
    cancelled: 'cancelled',
  },
};

/** The event that tells of a state's beginning. */
const EVENT_TYPES: Readonly<Record<Exclude<JobState, 'pending'>, JobEventType>> = {
  running: 'job.started',
  completed: 'job.completed',
  partial: 'job.partial',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
};

/** A trigger's effect: the states that it can take a job from, the one that it leads to, and the event. */
export interface JobChange {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly eventType: JobEventType;
}

/** The state after the trigger, or undefined where it does nothing. */
export function nextState(state: JobState, trigger: JobTrigger): JobState | undefined {
  return TRANSITIONS[state]?.[trigger];
}

/** What a trigger does, for a store that changes a job only from one of the right states. */
export function changeOf(trigger: JobTrigger): JobChange {
  const from = JOB_STATES.filter((state) => nextState(state, trigger) !== undefined);
  const to = from.map((state) => nextState(state, trigger))[0];
  if (to === undefined || to === 'pending') throw new Error(`No state can take "${trigger}".`);
  return { from, to, eventType: EVENT_TYPES[to] };
}
