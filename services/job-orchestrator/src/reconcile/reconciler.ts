import { repeatAtIntervals } from '@gleaner/service-kit';
import type { StoredJob } from '@gleaner/storage';
import { type CollectDeps, collectOverdue } from '../collect/collect-outcomes.ts';
import { sendEvents } from '../finish/change-state.ts';
import { checkScreenshots } from './check-screenshots.ts';

/** Collaborators and settings of the reconciler. */
export interface ReconcilerDeps extends CollectDeps {
  readonly intervalMs: number;
  readonly recheckAfterMs: number;
  readonly noteWork?: (name: string) => void;
}

type UncheckedJob = NonNullable<Awaited<ReturnType<ReconcilerDeps['stores']['jobs']['claimUnchecked']>>>;

const MAX_OVERDUE = 500;
const MAX_JOBS_PER_ROUND = 50;
/** Age at which a draft is abandoned: no process writes its pages any more. */
const DRAFT_LIFETIME_MS = 600_000;
/** Time after which no write and no page of a finished job can still be under way. */
const CLOSE_AFTER_MS = 10_000;

/**
 * Finishes interrupted work at intervals: overdue pages, jobs that should have finished, interrupted cancellations,
 * unsent events, screenshots without a result. Counts charges for the usage report. Every step can be repeated, by any
 * number of orchestrators. Returns a function that stops it.
 */
export function startReconciler(deps: ReconcilerDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => reconcileOnce(deps, signal), {
    intervalMs: deps.intervalMs,
    logger: deps.logger,
    noteRound: () => deps.noteWork?.('reconcile'),
    onFailure: 'Reconciling was interrupted; the next round does the rest.',
  });
}

async function reconcileOnce(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
  const overdue = await deps.stores.pages.findOverdue(deps.stores.clock.now(), MAX_OVERDUE);
  if (overdue.length > 0) {
    deps.logger.warn(
      { pages: overdue.length },
      'No worker reported on these pages in time; they are dispatched again.',
    );
    deps.metrics.repaired.inc({ what: 'overdue page' }, overdue.length);
    await collectOverdue(overdue, deps);
  }
  for (let count = 0; count < MAX_JOBS_PER_ROUND && !signal.aborted; count++) {
    const now = deps.stores.clock.now();
    const job = await deps.stores.jobs.claimUnchecked(new Date(now.getTime() - deps.recheckAfterMs), now);
    if (!job) break;
    await checkJob(job, now, deps);
  }
  const removed = await checkScreenshots(deps.stores, deps.stores.clock.now());
  if (removed > 0) deps.metrics.repaired.inc({ what: 'unwanted screenshot' }, removed);
  await deps.stores.usage.countCharges({ now: deps.stores.clock.now(), signal });
}

/** Does what is left undone for a job. */
async function checkJob(job: UncheckedJob, now: Date, deps: ReconcilerDeps): Promise<void> {
  const { status } = job;
  if (status === 'draft') return await dropStaleDraft(job, now, deps);
  if (status === 'expired') return;
  const stored: StoredJob = { ...job, status };
  await sendEvents(stored, deps);
  if (job.completedAt) return await closeJob(stored, now, deps);
  if (job.cancelRequestedAt) await deps.broker.broadcast('jobCancellations', { jobId: job.id });
  deps.finisher.add(stored, () => {
    const what = job.cancelRequestedAt ? 'unfinished cancellation' : 'unfinished job';
    deps.metrics.repaired.inc({ what });
  });
}

async function dropStaleDraft({ id, createdAt }: UncheckedJob, now: Date, { stores }: ReconcilerDeps) {
  if (now.getTime() - createdAt.getTime() < DRAFT_LIFETIME_MS) return;
  await stores.jobs.abandonDraft(id, now);
}

/** Releases what is still held for a finished job, once nothing of it can be under way, and stops checking it. */
async function closeJob(job: StoredJob, now: Date, deps: ReconcilerDeps): Promise<void> {
  const { stores, broker } = deps;
  const { id, status, accountId, completedAt = now } = job;
  if (status === 'cancelled') await broker.broadcast('jobCancellations', { jobId: id });
  if (now.getTime() - completedAt.getTime() < CLOSE_AFTER_MS) return;
  if (status === 'cancelled') deps.finisher.add(job);
  const account = await stores.accounts.findAccount(accountId);
  if (account && account.reserved > 0) {
    await stores.credits.endReservations({ accountId, operationPrefix: `${id}:`, at: now });
  }
  await stores.jobs.close(id);
}
