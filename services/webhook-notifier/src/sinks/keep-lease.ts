import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@gleaner/service-kit';
import type { ClaimedDelivery, Stores } from '@gleaner/storage';

/** Collaborators and settings of keeping a lease. */
interface LeaseDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries'>;
  readonly logger: Logger;
  readonly sinkLeaseMs: number;
  readonly stopping: AbortSignal;
}

/** A lease that is extended for as long as its attempt goes on. */
export interface KeptLease extends AsyncDisposable {
  /** Aborts when the process stops, and when another notifier has taken the delivery. */
  readonly signal: AbortSignal;
}

/** Extends the lease of a claimed delivery at once and until it is disposed of. */
export function keepLease(delivery: ClaimedDelivery, deps: LeaseDeps): KeptLease {
  const lost = new AbortController();
  const ended = new AbortController();
  const kept = extendAtIntervals(delivery, { ...deps, ended: ended.signal }).then((isLost) => {
    if (isLost) lost.abort(new Error('Another notifier has taken the delivery.'));
  });
  return {
    signal: AbortSignal.any([deps.stopping, lost.signal]),
    async [Symbol.asyncDispose]() {
      ended.abort();
      await kept;
    },
  };
}

/** Returns true once the lease is lost, and false when the attempt has ended. */
async function extendAtIntervals(
  delivery: ClaimedDelivery,
  { stores, logger, sinkLeaseMs: leaseMs, ended }: LeaseDeps & { readonly ended: AbortSignal },
): Promise<boolean> {
  for (;;) {
    const startedMs = performance.now();
    const leasedUntil = new Date(stores.clock.nowMs() + leaseMs);
    try {
      if (!(await stores.deliveries.extendLease(delivery, leasedUntil))) return true;
    } catch (err) {
      logger.warn({ err, deliveryId: delivery.id }, 'A lease was not extended; it is tried again.');
    }
    // Counted from the start: a lease that was held up may be over as soon as it is written.
    const restMs = Math.max(0, startedMs + leaseMs / 3 - performance.now());
    await wait(restMs, undefined, { signal: ended, ref: false }).catch(() => {});
    if (ended.aborted) return false;
  }
}
