import { createId } from '@gleaner/contracts';
import type { StoredJob, Stores, Transition } from '@gleaner/storage';
import { changeOf, type JobTrigger } from '../states/job-machine.ts';

/**
 * Lets a trigger change a job's state, durably and once, and stores the event that announces it. Null when the job is in no
 * state that the trigger can change. What is not announced after it (`sendEvents`) is announced by the reconciler.
 */
export async function changeState(
  jobId: string,
  trigger: JobTrigger,
  set: Transition['set'],
  { stores }: { readonly stores: Pick<Stores, 'jobs'> },
): Promise<StoredJob | null> {
  const { from, to, eventType } = changeOf(trigger);
  const event = { id: createId('evt'), type: eventType, at: new Date() };
  return await stores.jobs.transition(jobId, { from, to, set, event });
}
