import { repeatAtIntervals } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from '../delivery/announce-delivery.ts';

/** Collaborators and settings of the reconciler. */
export interface ReconcilerDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries'>;
  readonly intervalMs: number;
  /** Time after which a due delivery counts as lost. */
  readonly overdueAfterMs: number;
}

const MAX_PER_ROUND = 500;

/**
 * Queues overdue deliveries again, at intervals: their message was lost, or their notifier died. Any number of
 * notifiers may do so. Returns a function that stops it.
 */
export function startReconciler(deps: ReconcilerDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => reconcileOnce(deps, signal), {
    intervalMs: deps.intervalMs,
    logger: deps.logger,
    onFailure: 'Reconciling was interrupted; the next round does the rest.',
  });
}

async function reconcileOnce(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
  let found = 0;
  while (found < MAX_PER_ROUND && !signal.aborted) {
    const now = deps.stores.clock.now();
    const since = new Date(now.getTime() - deps.overdueAfterMs);
    const delivery = await deps.stores.deliveries.claimOverdue(since, now);
    if (!delivery) break;
    await announceDelivery(delivery, deps);
    found += 1;
  }
  if (found > 0) deps.logger.warn({ deliveries: found }, 'Overdue deliveries were queued again.');
}
