import type { DeliveryTurn } from '@gleaner/contracts';
import type { StoredDelivery } from '@gleaner/storage';

/** What is to be done about a delivery whose turn has come. */
export type TurnPlan =
  | { readonly do: 'send' }
  /** The message is an old one, or one too many. */
  | { readonly do: 'forget' }
  | { readonly do: 'wait'; readonly waitMs: number }
  | { readonly do: 'give-up' };

/** Decides by the database what a message, which may be late, early or doubled, is still good for. */
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

const FIRST_DEFERRAL_MS = 100;
const MAX_DEFERRAL_MS = 30_000;

/** How long a delivery waits whose endpoint has no room: longer each time, spread so that not all come back at once. */
export function deferralMs(deferrals: number, random: number): number {
  const longestMs = Math.min(MAX_DEFERRAL_MS, FIRST_DEFERRAL_MS * 2 ** Math.min(deferrals, 20));
  return Math.round(longestMs * (0.5 + random / 2));
}
