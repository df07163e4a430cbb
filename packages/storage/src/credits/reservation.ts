import { type CreditsBreakdown, totalCredits } from '@gleaner/contracts';
import type { PendingCredits } from '../accounts/account-model.ts';
import type { ChargeDocument, Operation } from './charge-model.ts';

/** Credits held for an operation; the right to settle or release it. Plain data: it may cross a process. */
export interface Reservation {
  readonly operationId: string;
  readonly accountId: string;
  /** The worst case, and the most that may be charged. */
  readonly credits: number;
  /** Null where the account is unlimited and nothing is held. */
  readonly token: string | null;
}

/** What an operation came to; the same on every call for it. */
export interface Outcome {
  readonly outcome: 'charged' | 'released';
  /** 0 when released. */
  readonly credits: number;
}

/** What is charged for an operation that succeeded. */
export interface Settlement {
  /** Null where no key paid: a schedule's run. */
  readonly keyId: string | null;
  readonly operation: Operation;
  readonly breakdown: CreditsBreakdown;
  readonly at: Date;
}

/** No operation is settled so late that its tombstone has gone. */
const TOMBSTONE_LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** The ledger entry that charges an operation. */
export function chargeOf(reservation: Reservation, settlement: Settlement): ChargeDocument {
  const { operationId, accountId, token } = reservation;
  const credits = totalCredits(settlement.breakdown);
  const { keyId, ...rest } = settlement;
  const day = settlement.at.toISOString().slice(0, 10);
  const charge = { _id: operationId, accountId, outcome: 'charged', token, credits, day, ...rest } as const;
  return keyId === null ? charge : { ...charge, keyId };
}

/** The ledger entry that says that an operation costs nothing, whatever comes later. */
export function tombstoneOf({ operationId, accountId, token }: Reservation, at: Date): ChargeDocument {
  const expiresAt = new Date(at.getTime() + TOMBSTONE_LIFETIME_MS);
  return { _id: operationId, accountId, outcome: 'released', token, credits: 0, at, expiresAt };
}

/** The reservation that an account's pending entry stands for. */
export function reservationOf(
  accountId: string,
  { operationId, credits, token }: PendingCredits,
): Reservation {
  return { operationId, accountId, credits, token };
}

/**
 * How much of a reservation goes back to the balance, given the operation's outcome. Only the reservation that the
 * outcome names pays for it: one made again for an operation that was settled before goes back whole.
 */
export function creditsToReturn({ credits, token }: Reservation, outcome: ChargeDocument): number {
  return outcome.token === token ? credits - outcome.credits : credits;
}
