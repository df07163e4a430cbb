import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';

/** Collaborators of the counter. */
export interface UsageCounterDeps {
  readonly usage: Pick<Stores['usage'], 'countCharges'>;
  readonly logger: Logger;
}

const INTERVAL_MS = 30_000;

/** Counts, at intervals, what this gateway has charged. Returns what ends it, and waits for a count under way. */
export function startUsageCounter({ usage, logger }: UsageCounterDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => usage.countCharges({ now: new Date(), signal }), {
    intervalMs: INTERVAL_MS,
    logger,
    onFailure: 'Charges were not counted; the next count takes them.',
  });
}
