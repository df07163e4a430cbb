import { isTerminal } from '@gleaner/contracts';
import { repeatAtIntervals } from '@gleaner/service-kit';
import { type AddBatchesDeps, addBatches } from '../finish/add-batches.ts';

/** Collaborators and settings of making batches. */
export interface BatchingDeps extends AddBatchesDeps {
  /** Longest time that a result waits for others. */
  readonly batchAfterMs: number;
}

const MAX_JOBS_PER_ROUND = 200;
/** Rounds in the time that a result may wait. */
const ROUNDS = 5;

/**
 * Puts results of running jobs into batches at intervals, for webhooks that receive them before the job has finished. Any
 * number of orchestrators may do so. Returns a function that stops it.
 */
export function startBatching(deps: BatchingDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => batchOnce(deps, signal), {
    intervalMs: deps.batchAfterMs / ROUNDS,
    logger: deps.logger,
    onFailure: 'Making batches of results was interrupted; the next round does the rest.',
  });
}

async function batchOnce(deps: BatchingDeps, signal: AbortSignal): Promise<void> {
  const { clock, jobs } = deps.stores;
  for (let count = 0; count < MAX_JOBS_PER_ROUND && !signal.aborted; count++) {
    const now = clock.now();
    const job = await jobs.claimBatching(now, new Date(now.getTime() + deps.batchAfterMs));
    if (!job) break;
    await addBatches(job, deps);
    if (isTerminal(job.status)) await jobs.endBatching(job.id);
  }
}
