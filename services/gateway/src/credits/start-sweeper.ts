import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';

/** Collaborators of the sweeper. */
export interface SweeperDeps {
  readonly credits: Pick<Stores['credits'], 'sweepReservations'>;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/**
 * Finishes, at intervals, the reservations of gateways that died; any number of replicas may do so at once.
 * Returns what ends it, and waits for a sweep under way.
 */
export function startSweeper({ credits, logger, intervalMs }: SweeperDeps): () => Promise<void> {
  const stopping = new AbortController();
  let sweep: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweep ??= sweepOnce().finally(() => {
      sweep = undefined;
    });
  }, intervalMs);
  timer.unref();

  async function sweepOnce(): Promise<void> {
    try {
      const counts = await credits.sweepReservations({ now: new Date(), signal: stopping.signal });
      if (counts.charged + counts.released > 0)
        logger.info(counts, 'Finished reservations that others had left.');
    } catch (err) {
      if (!stopping.signal.aborted)
        logger.warn({ err }, 'Reservations were not swept; the next sweep takes them.');
    }
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await sweep;
  };
}
