import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import { type HeldSlots, SLOT_RENEWAL_INTERVAL_MS } from './held-slots.ts';

/** Renews, at intervals, the slots that are held. Returns what ends it, and waits for a renewal under way. */
export function startSlotRenewal(heldSlots: HeldSlots, logger: Logger): () => Promise<void> {
  return repeatAtIntervals(() => heldSlots.renew(), {
    intervalMs: SLOT_RENEWAL_INTERVAL_MS,
    logger,
    onFailure: 'Slots were not renewed; those that expire now let their keys have more scrapes in flight.',
  });
}
