import { type CreditsBreakdown, totalCredits } from '@gleaner/contracts';
import type { PendingCredits } from '../accounts/account-model.ts';
import type { ChargeDocument, Operation } from './charge-model.ts';

/** Credits held for an operation, to be settled or released. Plain data, so that it can be sent to another process. */
export interface Reservation {
  readonly operationId: string;
  readonly accountId: string;
  /** Worst-case price: the most credits that may be charged. */
  readonly credits: number;
  /** Null if the account is unlimited and nothing is held. */
  readonly token: string | null;
}

/** Outcome of an operation, the same on every call for it. */
export interface Outcome {
  readonly outcome: 'charged' | 'released';
  /** 0 if released. */
  readonly credits: number;
}

/** Charge for an operation that succeeded. */
export interface Settlement {
  /** Null for the run of a schedule, which no key paid for. */
  readonly keyId: string | null;
  readonly operation: Operation;
  readonly breakdown: CreditsBreakdown;
  readonly at: Date;
}

/** Longer than any settlement can be late. */
const TOMBSTONE_LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** Time for which the ledger keeps a charge: longer than any job, and than a year of invoices. Counted months stay. */
export const LEDGER_RETENTION_MS = 400 * 24 * 3600 * 1000;

/** Returns the ledger entry that charges an operation. */
export function chargeOf(reservation: Reservation, settlement: Settlement): ChargeDocument {
  const { operationId, accountId, token } = reservation;
  const credits = totalCredits(settlement.breakdown);
  const { keyId, ...rest } = settlement;
  const day = settlement.at.toISOString().slice(0, 10);
  const expiresAt = new Date(settlement.at.getTime() + LEDGER_RETENTION_MS);
  const entry = { _id: operationId, accountId, outcome: 'charged', token, credits, day } as const;
  const charge = { ...entry, ...rest, expiresAt };
  return keyId === null ? charge : { ...charge, keyId };
}

/** Returns the ledger entry that makes an operation cost nothing, even if a settlement follows. */
export function tombstoneOf({ operationId, accountId, token }: Reservation, at: Date): ChargeDocument {
  const expiresAt = new Date(at.getTime() + TOMBSTONE_LIFETIME_MS);
  return { _id: operationId, accountId, outcome: 'released', token, credits: 0, at, expiresAt };
}

/** Returns the reservation of an account's pending entry. */
export function reservationOf(
  accountId: string,
  { operationId, credits, token }: PendingCredits,
): Reservation {
  return { operationId, accountId, credits, token };
}

/**
 * Returns how many credits of a reservation go back to the balance. Only the reservation that the outcome names pays
 * for it; a second reservation, made after the operation was settled, goes back whole.
 */
export function creditsToReturn({ credits, token }: Reservation, outcome: ChargeDocument): number {
  return outcome.token === token ? credits - outcome.credits : credits;
}
