import type { CreditsBreakdown } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication/caller.ts';

/** One scrape, as its credits are held and charged. */
export interface ChargedScrape {
  readonly id: string;
  readonly caller: Caller;
  /** The worst case. */
  readonly credits: number;
  readonly deadlineMs: number;
}

/** Collaborators of whoever charges for work. */
export interface ChargeDeps {
  readonly credits: Stores['credits'];
  readonly logger: Logger;
  /** How long after the deadline a settlement may still be on its way; a sweep releases what is held then. */
  readonly settlementGraceMs: number;
}

/**
 * Holds the worst case while `work` runs, and charges what ran before its result is given out. Where `work` fails
 * nothing is charged. Throws INSUFFICIENT_CREDITS before `work` begins.
 */
export async function withCharge<Result extends { readonly price: CreditsBreakdown }>(
  { id, caller, credits, deadlineMs }: ChargedScrape,
  deps: ChargeDeps,
  work: () => Promise<Result>,
): Promise<Result> {
  const reservation = await deps.credits.reserve({
    account: caller.account,
    operationId: id,
    credits,
    now: new Date(),
    expiresAt: new Date(deadlineMs + deps.settlementGraceMs),
  });
  const result = await work().catch(async (fault: unknown) => {
    await deps.credits.release(reservation, new Date()).catch((err: unknown) => {
      deps.logger.warn({ err, callId: id }, 'Credits were not released; the sweep will release them.');
    });
    throw fault;
  });
  const { price: breakdown } = result;
  await deps.credits.settle(reservation, {
    keyId: caller.keyId,
    operation: 'scrape',
    breakdown,
    at: new Date(),
  });
  return result;
}
