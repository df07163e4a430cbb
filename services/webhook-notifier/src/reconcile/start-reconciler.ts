import { repeatAtIntervals } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from '../delivery/announce-delivery.ts';

/** What reconciling takes. */
export interface ReconcilerDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'deliveries'>;
  readonly intervalMs: number;
  /** How long after its time a delivery counts as lost on the way. */
  readonly overdueAfterMs: number;
}

const MAX_A_ROUND = 500;

/**
 * Queues again, at intervals, what should have been sent long ago: its message was lost, or its notifier died. Any
 * number of notifiers may do so. Returns what ends it.
 */
export function startReconciler(deps: ReconcilerDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => reconcileOnce(deps, signal), {
    intervalMs: deps.intervalMs,
    logger: deps.logger,
    onFailure: 'Reconciling was interrupted; the next round takes what is left.',
  });
}

async function reconcileOnce(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
  let found = 0;
  while (found < MAX_A_ROUND && !signal.aborted) {
    const now = new Date();
    const since = new Date(now.getTime() - deps.overdueAfterMs);
    const delivery = await deps.stores.deliveries.takeOverdue(since, now);
    if (!delivery) break;
    await announceDelivery(delivery, deps);
    found += 1;
  }
  if (found > 0) deps.logger.warn({ deliveries: found }, 'Overdue deliveries were queued again.');
}
