import { createId, isTerminal } from '@gleaner/contracts';
import type { ResultBatches, StoredJob, Stores } from '@gleaner/storage';
import { type EventDeps, sendEvents } from './send-events.ts';

/** Collaborators of adding batches. */
export interface AddBatchesDeps extends EventDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
}

/** Results that one batch has at most. */
const MAX_RESULTS = 100;

/**
 * Puts the results of a job that are in no batch yet into batches, each with its event; does nothing for a job whose webhook
 * receives no results while it runs. A batch is decided by the one write to the job that adds it: of several processes one
 * succeeds, and a crash before it leaves the results to the next batch. Its pages are marked afterwards, always before the
 * next batch is added.
 */
export async function addBatches(job: StoredJob, deps: AddBatchesDeps): Promise<void> {
  let current: StoredJob | undefined = job;
  while (current?.resultBatches && !isTerminal(current.status)) {
    current = await addBatch(current, current.resultBatches, deps);
  }
}

/** Adds one batch; returns the job as it is then, or undefined if no results are left. */
async function addBatch(
  { id }: StoredJob,
  { count, last }: ResultBatches,
  deps: AddBatchesDeps,
): Promise<StoredJob | undefined> {
  const { clock, jobs, pages } = deps.stores;
  await pages.markBatch(id, last, count);
  const indexes = await pages.findUnbatched(id, MAX_RESULTS);
  if (indexes.length === 0) return undefined;
  const number = count + 1;
  const event = { id: createId('evt'), type: 'job.pages' as const, at: clock.now(), batch: number };
  const added = await jobs.addBatch(id, { number, indexes, event });
  if (added) await sendEvents(added, deps);
  return added ?? (await jobs.findJobs([id]))[0];
}
