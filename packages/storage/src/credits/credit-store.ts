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

/** Request to hold the worst-case price of an operation. */
export interface ReservationRequest {
  /** Account that pays; may be as old as a cache keeps it. */
  readonly account: Pick<Account, 'id' | 'balance'>;
  /** Unique among all operations of all accounts, and the same for every attempt at one. */
  readonly operationId: string;
  readonly credits: number;
  readonly now: Date;
  /** Later than any settlement; a sweep releases what is still held then. */
  readonly expiresAt: Date;
}

/** Successful operation with its charge. Another process may have reserved credits for it. */
export interface SettledOperation extends Omit<Reservation, 'token'> {
  readonly settlement: Settlement;
}

/** Operations that are over. */
export interface ReservationsToEnd {
  readonly accountId: string;
  readonly operationPrefix: string;
  readonly at: Date;
}

/** Bounds of a sweep. */
export interface SweepRequest {
  readonly now: Date;
  readonly maxAccounts?: number;
  readonly signal?: AbortSignal;
}

/** Reservations that a sweep ended, by outcome. */
export interface SweepCounts {
  readonly charged: number;
  readonly released: number;
}

const DEFAULT_MAX_ACCOUNTS = 100;

/**
 * Store of credits, which charges each operation exactly once: reserve, then settle or release. Any process
 * may repeat any of these calls, and a sweep finishes what a dead process left. See docs/decisions/credits.md.
 */
export class CreditStore {
  readonly #steps: CreditSteps;

  constructor(steps: CreditSteps) {
    this.#steps = steps;
  }

  /**
   * Holds the worst-case price; throws INSUFFICIENT_CREDITS. Makes no round trip if the account is known to be
   * unlimited.
   */
  async reserve(request: ReservationRequest): Promise<Reservation> {
    const { account, operationId, credits, now, expiresAt } = request;
    const unheld = { operationId, accountId: account.id, credits, token: null };
    if (account.balance === null) return unheld;

    const pending = { operationId, token: randomUUID(), credits, at: now, expiresAt };
    if (await this.#steps.hold(account.id, pending)) return reservationOf(account.id, pending);

    const { balance, pending: held } = await this.#steps.readAccount(account.id);
    if (balance === null) return unheld;
    const earlier = held.find((entry) => entry.operationId === operationId);
    if (earlier) return reservationOf(account.id, earlier);
    throw insufficientCredits(credits, balance);
  }

  /** Charges the operation, unless its outcome was decided before; returns the outcome that holds. */
  async settle(reservation: Reservation, settlement: Settlement): Promise<Outcome> {
    assertCovered(reservation, settlement);
    return await this.#finish(reservation, chargeOf(reservation, settlement));
  }

  /** Makes the operation cost nothing, even if a settlement follows, unless it was charged before. */
  async release(reservation: Reservation, at: Date): Promise<Outcome> {
    return await this.#finish(reservation, tombstoneOf(reservation, at));
  }

  /**
   * Charges at once many operations whose success is stored elsewhere; earlier outcomes stay as they are. The caller
   * repeats it until it succeeds.
   */
  async settleAll(settled: readonly SettledOperation[]): Promise<void> {
    const byAccount = Map.groupBy(settled, ({ accountId }) => accountId);
    await Promise.all([...byAccount].map(([accountId, own]) => this.#settleOfAccount(accountId, own)));
  }

  /** Releases reservations of operations whose ids start with the prefix; credits charged already are not returned. */
  async endReservations({ accountId, operationPrefix, at }: ReservationsToEnd): Promise<void> {
    const pending = await this.#steps.findPending(accountId);
    const held = pending.filter(({ operationId }) => operationId.startsWith(operationPrefix));
    for (const entry of held) {
      const reservation = reservationOf(accountId, entry);
      await this.#finish(reservation, tombstoneOf(reservation, at));
    }
  }

  /** Returns the charges of operations whose ids start with the prefix, before a time if one is given. */
  async sumCharges(operationPrefix: string, before?: Date): Promise<LedgerSum> {
    return await this.#steps.sumCharges({ $gte: operationPrefix, $lt: `${operationPrefix}\uffff` }, before);
  }

  /** Returns the sum of earlier charges of the next operations with this prefix, and the last id; without one, none is left. */
  async sumSomeCharges(
    operationPrefix: string,
    { afterId, ...part }: { readonly afterId: string; readonly limit: number; readonly before: Date },
  ): Promise<LedgerSum & { readonly lastId?: string }> {
    const $gt = afterId === '' ? operationPrefix : afterId;
    return await this.#steps.sumSomeCharges({ $gt, $lt: `${operationPrefix}\uffff` }, part);
  }

  /** Closes expired reservations: charges the ones with a decided charge and releases the others. */
  async sweepReservations(request: SweepRequest): Promise<SweepCounts> {
    const { now, maxAccounts = DEFAULT_MAX_ACCOUNTS, signal } = request;
    const counts = { charged: 0, released: 0 };
    for (const { _id: accountId, pending } of await this.#steps.findExpired(now, maxAccounts)) {
      for (const entry of pending.filter(({ expiresAt }) => expiresAt <= now)) {
        signal?.throwIfAborted();
        const reservation = reservationOf(accountId, entry);
        const { outcome } = await this.#finish(reservation, tombstoneOf(reservation, now));
        counts[outcome] += 1;
      }
    }
    return counts;
  }

  /** Decides the outcome first and moves credits after it; a death in between leaves a pending entry for the sweep. */
  async #finish(reservation: Reservation, proposed: ChargeDocument): Promise<Outcome> {
    const decided = await this.#steps.decide(proposed);
    const { accountId, token } = reservation;
    if (token !== null) {
      const credits = creditsToReturn(reservation, decided);
      await ignoreUnavailable(() => this.#steps.giveBack(accountId, token, credits));
    }
    return { outcome: decided.outcome, credits: decided.credits };
  }

  /** Pays for each operation from its present reservation; one made after the operation was charged is returned whole. */
  async #settleOfAccount(accountId: string, settled: readonly SettledOperation[]): Promise<void> {
    const held = new Map(
      (await this.#steps.findPending(accountId)).map((entry) => [entry.operationId, entry]),
    );
    const decided = await this.#steps.decideAll(
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
    if (returns.length > 0) await ignoreUnavailable(() => this.#steps.giveBackAll(accountId, returns));
  }
}

/** Moves credits after a decision, which holds even if the database is unavailable now; the sweep moves them later. */
async function ignoreUnavailable(move: () => Promise<void>): Promise<void> {
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
