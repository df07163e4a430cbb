import type { CreditsBreakdown } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';

/** One scrape, as its credits are held and charged. */
export interface ChargedScrape {
  readonly id: string;
  readonly caller: Caller;
  /** The worst case. */
  readonly credits: number;
  readonly deadlineMs: number;
  /** Default `scrape`. */
  readonly operation?: 'scrape' | 'map';
}

/** Collaborators of the charge. */
export interface ChargeDeps {
  readonly clock: Stores['clock'];
  readonly credits: Stores['credits'];
  readonly logger: Logger;
  /** Time after the deadline for a settlement that is late; a sweep releases the credits after that. */
  readonly settlementGraceMs: number;
}

/** Credits that are held until the scrape is charged or has failed. */
export interface HeldCredits {
  /** Charges what ran, and frees the rest; the operation of a reused page is `cached`. */
  readonly charge: (breakdown: CreditsBreakdown, as?: 'cached') => Promise<void>;
  /** Frees everything; never rejects, since a sweep releases what could not be freed. */
  readonly release: () => Promise<void>;
}

/** Holds the worst case of a scrape. Throws INSUFFICIENT_CREDITS. */
export async function holdCredits(
  { id, caller, credits, deadlineMs, operation = 'scrape' }: ChargedScrape,
  deps: ChargeDeps,
): Promise<HeldCredits> {
  const { clock } = deps;
  const reservation = await deps.credits.reserve({
    account: caller.account,
    operationId: id,
    credits,
    now: clock.now(),
    expiresAt: new Date(clock.nowMs() + deadlineMs - Date.now() + deps.settlementGraceMs),
  });
  return {
    async charge(breakdown, as) {
      const charge = { keyId: caller.keyId, operation: as ?? operation, breakdown, at: clock.now() };
      await deps.credits.settle(reservation, charge);
    },
    async release() {
      await deps.credits.release(reservation, clock.now()).catch((err: unknown) => {
        deps.logger.warn({ err, callId: id }, 'Credits were not released; the sweep will release them.');
      });
    },
  };
}
