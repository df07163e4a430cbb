import { createId } from '@gleaner/contracts';
import { repeatAtIntervals } from '@gleaner/service-kit';
import type { StoredJob, Stores } from '@gleaner/storage';
import { atOnce, type InSteps } from '../steps.ts';
import { type EventDeps, sendEvents } from './change-state.ts';

/** Collaborators of adding batches. */
export interface AddBatchesDeps extends EventDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
}

/** Collaborators and settings of making batches. */
export interface BatchingDeps extends AddBatchesDeps {
  /** Longest time that a result waits for others. */
  readonly batchAfterMs: number;
  readonly planners: { readonly isIdle: boolean };
}

/** Results that one batch has at most. */
const MAX_RESULTS = 100;
const MAX_JOBS_PER_ROUND = 200;
/** Rounds in the time that a result may wait, and without running jobs: the first batch of a job is due after that time. */
const ROUNDS = 5;
const IDLE_ROUNDS = 2;

/**
 * Puts results of running jobs into batches at intervals, for webhooks that receive them before the job has finished. Any
 * number of orchestrators may do so. Returns a function that stops it.
 */
export function startBatching(deps: BatchingDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => batchOnce(deps, signal), {
    intervalMs: deps.batchAfterMs / ROUNDS,
    idleIntervalMs: deps.batchAfterMs / IDLE_ROUNDS,
    logger: deps.logger,
    onFailure: 'Making batches of results was interrupted; the next round does the rest.',
  });
}

async function batchOnce(deps: BatchingDeps, signal: AbortSignal): Promise<'idle' | undefined> {
  const { clock, jobs } = deps.stores;
  for (let count = 0; count < MAX_JOBS_PER_ROUND && !signal.aborted; count++) {
    const now = clock.now();
    const job = await jobs.claimBatching(now, new Date(now.getTime() + deps.batchAfterMs));
    if (!job) return deps.planners.isIdle ? 'idle' : undefined;
    await addBatches(job, deps, atOnce);
    if (job.completedAt) await jobs.endBatching(job.id);
  }
  return undefined;
}

/**
 * Puts the results of a job that are in no batch yet into batches, each with its event; does nothing for a job whose webhook
 * receives no results while it runs. A batch is decided by the one write to the job that adds it: of several processes one
 * succeeds, and a crash before it leaves the results to the next batch. Its pages are marked afterwards, always before the
 * next batch is added.
 */
export async function addBatches(job: StoredJob, deps: AddBatchesDeps, inSteps: InSteps): Promise<void> {
  let current: StoredJob | undefined = job;
  while (current?.resultBatches && !current.completedAt) {
    const open: StoredJob = current;
    current = await inSteps(() => addBatch(open, deps));
  }
}

/** Adds one batch; returns the job as it is then, or undefined if no results are left. */
async function addBatch(
  { id, resultBatches: { count, last } = { count: 0, last: [] } }: StoredJob,
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
