import { randomUUID } from 'node:crypto';
import { AppError, totalCredits } from '@gleaner/contracts';
import type { Account } from '../accounts/account-store.ts';
import type { ChargeDocument } from './charge-model.ts';
import type { CreditSteps, LedgerSum } from './credit-steps.ts';
import {
  chargeOf,
  creditsToReturn,
  type Outcome,
  type Reservation,
  reservationOf,
  type Settlement,
  tombstoneOf,
} from './reservation.ts';

/** What an operation may cost at most, and until when it may take. */
export interface ReservationRequest {
  /** Whose credits; may be as old as a cache keeps it. */
  readonly account: Pick<Account, 'id' | 'balance'>;
  /** Unique among all operations of all accounts, the same for every try of one. */
  readonly operationId: string;
  readonly credits: number;
  readonly now: Date;
  /** Later than any settlement; a sweep releases what is still held then. */
  readonly expiresAt: Date;
}

/** An operation that has succeeded, and what it costs. Whoever charges it need not be who reserved. */
export interface SettledOperation extends Omit<Reservation, 'token'> {
  readonly settlement: Settlement;
}

/** Which operations are over. */
export interface ReservationsToEnd {
  readonly accountId: string;
  readonly operationPrefix: string;
  readonly at: Date;
}

/** How many accounts a sweep looks at, and which moment it takes for now. */
export interface SweepRequest {
  readonly now: Date;
  readonly maxAccounts?: number;
  readonly signal?: AbortSignal;
}

/** What a sweep finished of what others left. */
export interface SweepCounts {
  readonly charged: number;
  readonly released: number;
}

export type CreditStore = ReturnType<typeof createCreditStore>;

const DEFAULT_MAX_ACCOUNTS = 100;

/**
 * Credits, charged exactly once per operation: reserve, then settle or release; any of them may be repeated, by any
 * process, and whatever a dead process left is finished by a sweep. See docs/decisions/credits.md.
 */
export function createCreditStore(steps: CreditSteps) {
  /** Holds the worst case. Throws INSUFFICIENT_CREDITS. No round trip where the account is known to be unlimited. */
  async function reserve(request: ReservationRequest): Promise<Reservation> {
    const { account, operationId, credits, now, expiresAt } = request;
    const unheld = { operationId, accountId: account.id, credits, token: null };
    if (account.balance === null) return unheld;

    const pending = { operationId, token: randomUUID(), credits, at: now, expiresAt };
    if (await steps.hold(account.id, pending)) return reservationOf(account.id, pending);

    const { balance, pending: held } = await steps.readAccount(account.id);
    if (balance === null) return unheld;
    const earlier = held.find((entry) => entry.operationId === operationId);
    if (earlier) return reservationOf(account.id, earlier);
    throw insufficientCredits(credits, balance);
  }

  /** Charges the operation, unless its outcome was decided before: then that one stands and is returned. */
  async function settle(reservation: Reservation, settlement: Settlement): Promise<Outcome> {
    assertCovered(reservation, settlement);
    return await conclude(reservation, chargeOf(reservation, settlement));
  }

  /**
   * Charges many operations whose success is stored elsewhere, at once; whatever was charged before stays as it is.
   * To be repeated until it has succeeded.
   */
  async function settleAll(settled: readonly SettledOperation[]): Promise<void> {
    const byAccount = Map.groupBy(settled, ({ accountId }) => accountId);
    await Promise.all([...byAccount].map(([accountId, own]) => settleAllOf(accountId, own)));
  }

  /** Each is paid for by what is held for it now; what was held again after it was charged goes back whole. */
  async function settleAllOf(accountId: string, settled: readonly SettledOperation[]): Promise<void> {
    const held = new Map((await steps.findPending(accountId)).map((entry) => [entry.operationId, entry]));
    const decided = await steps.decideAll(
      settled.map(({ settlement, ...operation }) => {
        assertCovered(operation, settlement);
        return chargeOf({ ...operation, token: held.get(operation.operationId)?.token ?? null }, settlement);
      }),
    );
    const returns = decided.flatMap((outcome) => {
      const entry = held.get(outcome._id);
      if (!entry) return [];
      return [{ token: entry.token, credits: creditsToReturn(reservationOf(accountId, entry), outcome) }];
    });
    if (returns.length > 0) await unlessAway(() => steps.giveBackAll(accountId, returns));
  }

  /** Gives back what is still held for operations with such ids, less what they were charged. */
  async function endReservations({ accountId, operationPrefix, at }: ReservationsToEnd): Promise<void> {
    const pending = await steps.findPending(accountId);
    const held = pending.filter(({ operationId }) => operationId.startsWith(operationPrefix));
    for (const entry of held) await release(reservationOf(accountId, entry), at);
  }

  /** What the operations of one job, whose ids begin so, were charged; before a moment if one is given. */
  async function sumCharges(operationPrefix: string, before?: Date): Promise<LedgerSum> {
    return await steps.sumCharges({ $gte: operationPrefix, $lt: `${operationPrefix}\uffff` }, before);
  }

  /** Lets the operation cost nothing, even if a settlement comes later; unless it was charged before. */
  async function release(reservation: Reservation, at: Date): Promise<Outcome> {
    return await conclude(reservation, tombstoneOf(reservation, at));
  }

  /** Finishes expired reservations: charges those whose charge was decided, releases the others. */
  async function sweepReservations(request: SweepRequest): Promise<SweepCounts> {
    const { now, maxAccounts = DEFAULT_MAX_ACCOUNTS, signal } = request;
    const counts = { charged: 0, released: 0 };
    for (const { _id: accountId, pending } of await steps.findExpired(now, maxAccounts)) {
      for (const entry of pending.filter(({ expiresAt }) => expiresAt <= now)) {
        signal?.throwIfAborted();
        const { outcome } = await release(reservationOf(accountId, entry), now);
        counts[outcome] += 1;
      }
    }
    return counts;
  }

  /** Decides the outcome first and moves the credits after; dying in between leaves a pending entry for the sweep. */
  async function conclude(reservation: Reservation, proposed: ChargeDocument): Promise<Outcome> {
    const decided = await steps.decide(proposed);
    const { accountId, token } = reservation;
    if (token !== null) {
      const credits = creditsToReturn(reservation, decided);
      await unlessAway(() => steps.giveBack(accountId, token, credits));
    }
    return { outcome: decided.outcome, credits: decided.credits };
  }

  return { reserve, settle, settleAll, release, endReservations, sumCharges, sweepReservations };
}

/** The outcome stands, whatever becomes of the database now; the sweep moves the credits when it is back. */
async function unlessAway(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
  }
}

function assertCovered(
  { operationId, credits }: Pick<Reservation, 'operationId' | 'credits'>,
  { breakdown }: Settlement,
): void {
  if (totalCredits(breakdown) <= credits) return;
  throw new AppError('INTERNAL_ERROR', {
    message: `The operation ${operationId} costs ${totalCredits(breakdown)} credits, but only ${credits} were reserved.`,
  });
}

function insufficientCredits(credits: number, balance: number): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `The account has too few credits: the request may cost ${credits}, and the balance is ${balance}.`,
  });
}
