import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import type { StoredJob, Stores } from '@gleaner/storage';
import { LeaseHolder } from '../dispatch/lease-holder.ts';
import type { Finisher } from '../finish/finisher.ts';

/** Collaborators and settings of deleting jobs. */
export interface DeletingDeps {
  readonly stores: Pick<
    Stores,
    | 'clock'
    | 'jobs'
    | 'pages'
    | 'results'
    | 'fingerprints'
    | 'repeatedTexts'
    | 'snapshots'
    | 'files'
    | 'datasets'
    | 'usage'
    | 'leases'
  >;
  readonly finisher: Pick<Finisher, 'inSteps'>;
  readonly logger: Logger;
  readonly noteWork?: (name: string) => void;
  readonly intervalMs: number;
  readonly owner: string;
  readonly leaseMs: number;
}

const MAX_JOBS_PER_ROUND = 50;
const DOCUMENTS_PER_STEP = 500;
/** Snapshots have up to megabytes each. */
const SNAPSHOTS_PER_STEP = 50;
/** Files may have hundreds of them. */
const FILES_PER_STEP = 5;

/**
 * Deletes data after its retention, at intervals, in one orchestrator at a time: jobs with all documents of theirs, unfinished files, records
 * of deleted datasets, single charges. A job is hidden first and deleted last, so that a crash leaves nothing unknown. Screenshots have
 * a check of their own. Returns a function that stops it.
 */
export function startDeleting(deps: DeletingDeps): () => Promise<void> {
  const { stores, owner, leaseMs, logger, intervalMs } = deps;
  const lease = new LeaseHolder({ leases: stores.leases, role: 'deletion', owner, leaseMs });
  const stopRounds = repeatAtIntervals((signal) => deleteOnce(deps, lease, signal), {
    intervalMs,
    logger,
    noteRound: () => deps.noteWork?.('delete'),
    onFailure: 'Deleting jobs whose retention is over was interrupted; the next round does the rest.',
  });
  return async () => {
    await stopRounds();
    await lease.release().catch((err: unknown) => {
      logger.warn({ err }, 'The lease of deleting jobs was not released; it expires by itself.');
    });
  };
}

async function deleteOnce(deps: DeletingDeps, lease: LeaseHolder, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await lease.renew())) {
    const retired = await deps.stores.jobs.findRetired(deps.stores.clock.now(), MAX_JOBS_PER_ROUND);
    for (const job of retired) {
      if (signal.aborted || !(await deleteJob(job, deps, lease))) return;
    }
    const { files, datasets, clock } = deps.stores;
    const unfinished = await files.deleteUnfinished(clock.now(), FILES_PER_STEP);
    const records = await datasets.deleteRetired(clock.now(), DOCUMENTS_PER_STEP);
    if (retired.length < MAX_JOBS_PER_ROUND && unfinished < FILES_PER_STEP && records < DOCUMENTS_PER_STEP)
      return await deps.stores.usage.trimLedger({ now: clock.now(), signal });
  }
}

/** Deletes a job and everything of it; returns false if the lease was lost before that. */
async function deleteJob(
  { id, accountId }: Pick<StoredJob, 'id' | 'accountId'>,
  { stores, finisher }: DeletingDeps,
  lease: LeaseHolder,
): Promise<boolean> {
  const { jobs, snapshots, files, fingerprints, repeatedTexts, results, pages } = stores;
  const inSteps = finisher.inSteps(accountId);
  await jobs.expire(id);
  const kinds = [
    () => snapshots.deleteSome(id, SNAPSHOTS_PER_STEP),
    () => files.deleteSome(id, FILES_PER_STEP),
    () => fingerprints.deleteSome(id, DOCUMENTS_PER_STEP),
    () => repeatedTexts.deleteOf(id),
    () => results.deleteSome(id, DOCUMENTS_PER_STEP),
    () => pages.deleteSome(id, DOCUMENTS_PER_STEP),
  ];
  for (const deleteSome of kinds) {
    while ((await inSteps(deleteSome)) > 0) if (!(await lease.renew())) return false;
  }
  await jobs.deleteExpired(id);
  return true;
}
