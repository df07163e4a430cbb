import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
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
  return repeatAtIntervals(
    async (signal) => {
      const { charged, released } = await credits.sweepReservations({ now: new Date(), signal });
      if (charged + released > 0)
        logger.info({ charged, released }, 'Finished reservations that others had left.');
    },
    { intervalMs, logger, onFailure: 'Reservations were not swept; the next sweep takes them.' },
  );
}
