import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { type HeldSlots, SLOT_RENEWAL_INTERVAL_MS } from './admission/slots.ts';
import type { KeyUses } from './key-uses.ts';
import type { TraceLog } from './routes/system/trace-log.ts';

/** Collaborators of the background work. */
export interface BackgroundDeps {
  readonly clock: Stores['clock'];
  readonly credits: Pick<Stores['credits'], 'sweepReservations'>;
  readonly recipes: Pick<Stores['recipes'], 'sweepPages'>;
  readonly usage: Pick<Stores['usage'], 'countCharges'>;
  readonly heldSlots: HeldSlots;
  readonly traceLog: TraceLog;
  readonly keyUses: KeyUses;
  readonly logger: Logger;
  readonly noteWork: (name: string) => void;
  readonly sweepIntervalMs: number;
}

const USAGE_INTERVAL_MS = 30_000;
const KEY_USES_INTERVAL_MS = 5000;
const TRACES_INTERVAL_MS = 1000;

/**
 * Starts the work that a gateway repeats beside its calls; any number of replicas may do it at once. Returns a function that
 * stops it and waits for rounds in progress.
 */
export function startBackgroundWork(deps: BackgroundDeps): () => Promise<void> {
  const stops = [
    renewSlots(deps),
    sweepReservations(deps),
    sweepRecipePages(deps),
    countUsage(deps),
    keepTraces(deps),
    storeKeyUses(deps),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function renewSlots({ heldSlots, logger }: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals(() => heldSlots.renew(), {
    intervalMs: SLOT_RENEWAL_INTERVAL_MS,
    logger,
    onFailure:
      'Slots were not renewed; keys whose slots expire may have more scrapes in flight than allowed.',
  });
}

function storeKeyUses({ keyUses, logger }: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals(() => keyUses.store(), {
    intervalMs: KEY_USES_INTERVAL_MS,
    logger,
    onFailure: 'Times at which keys were used were not stored.',
  });
}

/** Finishes the reservations of gateways that died. */
function sweepReservations({
  clock,
  credits,
  logger,
  noteWork,
  sweepIntervalMs,
}: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals(
    async (signal) => {
      const { charged, released } = await credits.sweepReservations({ now: clock.now(), signal });
      if (charged + released > 0) {
        logger.info({ charged, released }, 'Finished credit reservations of gateways that died.');
      }
    },
    {
      intervalMs: sweepIntervalMs,
      logger,
      noteRound: () => noteWork('sweep'),
      onFailure: 'Credit reservations were not swept; the next sweep retries.',
    },
  );
}

/** Deletes pages of tests that no recipe names any more. */
function sweepRecipePages({ clock, recipes, logger, sweepIntervalMs }: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals(async () => void (await recipes.sweepPages(clock.now())), {
    intervalMs: sweepIntervalMs,
    logger,
    onFailure: 'Pages of tests that are not used any more were not deleted; the next sweep retries.',
  });
}

/** Adds charges of this gateway to the usage by day. */
function countUsage({ clock, usage, logger, noteWork }: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => usage.countCharges({ now: clock.now(), signal }), {
    intervalMs: USAGE_INTERVAL_MS,
    logger,
    noteRound: () => noteWork('usage'),
    onFailure: 'Charges were not added to the usage; the next round retries.',
  });
}

/** Stores the traces of the scrapes since the last round, together. */
function keepTraces({ traceLog, logger }: BackgroundDeps): () => Promise<void> {
  return repeatAtIntervals(() => traceLog.flush(), {
    intervalMs: TRACES_INTERVAL_MS,
    logger,
    onFailure: 'Traces of scrapes were not stored and are lost.',
  });
}
