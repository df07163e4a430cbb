import { createId } from '@gleaner/contracts';
import type { StoredJob, Stores, Transition } from '@gleaner/storage';
import { changeOf, type JobTrigger } from '../states/job-machine.ts';

/**
 * Lets a trigger change a job's state, durably and once, and stores the event with it. Returns null if the trigger cannot
 * change the job's present state. Call `sendEvents` afterwards; the reconciler sends events that were not sent.
 */
export async function changeState(
  jobId: string,
  trigger: JobTrigger,
  set: Transition['set'],
  { stores }: { readonly stores: Pick<Stores, 'clock' | 'jobs'> },
): Promise<StoredJob | null> {
  const { from, to, eventType } = changeOf(trigger);
  const event = { id: createId('evt'), type: eventType, at: stores.clock.now() };
  return await stores.jobs.transition(jobId, { from, to, set, event });
}
