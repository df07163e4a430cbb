import { createId } from '@gleaner/contracts';
import type { StoredJob, Transition } from '@gleaner/storage';
import { changeOf, type JobTrigger } from '../states/job-machine.ts';
import { type EventDeps, sendEvents } from './send-events.ts';

/**
 * Lets a trigger change a job's state, durably and once, and announces it. Null when the job is in no state that the
 * trigger can change. What is not announced now is announced by the reconciler.
 */
export async function changeState(
  jobId: string,
  trigger: JobTrigger,
  set: Transition['set'],
  deps: EventDeps,
): Promise<StoredJob | null> {
  const { from, to, eventType } = changeOf(trigger);
  const event = { id: createId('evt'), type: eventType, at: new Date() };
  const job = await deps.stores.jobs.transition(jobId, { from, to, set, event });
  if (job) await sendEvents(job, deps);
  return job;
}
