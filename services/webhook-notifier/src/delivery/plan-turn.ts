import { type Backoff, backoffMs, type DeliveryTurn } from '@gleaner/contracts';
import type { StoredDelivery } from '@gleaner/storage';

/** Plan for a message about a delivery. */
export type TurnPlan =
  | { readonly do: 'send' }
  /** The message is outdated or a duplicate. */
  | { readonly do: 'forget' }
  | { readonly do: 'wait'; readonly waitMs: number }
  | { readonly do: 'give-up' };

/** Decides by the database what to do with a message, which may be late, early or duplicated. */
export function planTurn(
  { attempt }: Pick<DeliveryTurn, 'attempt'>,
  delivery: Pick<StoredDelivery, 'attemptCount' | 'nextAttemptAt' | 'roundStartedAt'> | null,
  { nowMs, giveUpAfterMs }: { readonly nowMs: number; readonly giveUpAfterMs: number },
): TurnPlan {
  if (!delivery?.nextAttemptAt || delivery.attemptCount !== attempt - 1) return { do: 'forget' };
  const waitMs = delivery.nextAttemptAt.getTime() - nowMs;
  if (waitMs > 0) return { do: 'wait', waitMs };
  return nowMs - delivery.roundStartedAt.getTime() > giveUpAfterMs ? { do: 'give-up' } : { do: 'send' };
}

const DEFERRAL: Backoff = { firstMs: 100, longestMs: 30_000, jitter: 'half' };

/** Returns the delay of a delivery whose endpoint has no room: longer each time, with jitter. */
export function deferralMs(deferrals: number, random: number): number {
  return backoffMs(DEFERRAL, deferrals, 1 - random);
}
