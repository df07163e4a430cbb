import { AppError, defined } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import type { AccountDocument, PendingCredits } from '../accounts/account-model.ts';
import { confirmWrites } from '../database/confirm-writes.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { inGroups } from '../database/in-groups.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { type DriverCollection, driverCollection } from '../document-schema.ts';
import type { ChargeDocument } from './charge-model.ts';

/** Balance and pending entries of an account. */
export type AccountCredits = Pick<AccountDocument, '_id' | 'balance' | 'pending'>;

export type CreditSteps = ReturnType<typeof createCreditSteps>;

/** Sum of a part of the ledger. */
export interface LedgerSum {
  readonly operations: number;
  readonly credits: number;
}

/** Credits of a reservation that go back to the balance. */
export interface CreditReturn {
  readonly token: string;
  readonly credits: number;
}

/** Receives every charge that this process enters in the ledger. */
export interface ChargeObserver {
  noteCharge(accountId: string, at: Date): void;
}

/** Models that credits are moved and entered in. */
interface CreditModels {
  readonly accounts: Model<AccountDocument>;
  readonly charges: Model<ChargeDocument>;
}

const CREDITS = { balance: 1, pending: 1 } as const;

/** Creates the atomic steps of reserving, settling, releasing and sweeping; a process may die between any two of them. */
export function createCreditSteps({ accounts, charges }: CreditModels, observer: ChargeObserver) {
  return {
    ...guarded(new HeldCredits(driverCollection(accounts))),
    ...guarded(new Ledger(driverCollection(charges), observer)),
  };
}

/** Credits that accounts have, and hold for operations. */
class HeldCredits {
  readonly #accounts: DriverCollection<AccountDocument>;

  constructor(accounts: DriverCollection<AccountDocument>) {
    this.#accounts = accounts;
  }

  /** Moves credits from the balance to a pending entry; returns false if the balance is short or the entry exists. */
  async hold(accountId: string, pending: PendingCredits): Promise<boolean> {
    const { operationId, credits } = pending;
    const { matchedCount } = await this.#accounts.updateOne(
      { _id: accountId, balance: { $gte: credits }, 'pending.operationId': { $ne: operationId } },
      { $inc: { balance: -credits }, $push: { pending } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
    return matchedCount === 1;
  }

  /** Returns the account's balance and pending entries. */
  async readAccount(accountId: string): Promise<AccountCredits> {
    const account = await this.#accounts.findOne<AccountCredits>({ _id: accountId }, { projection: CREDITS });
    if (account) return account;
    throw new AppError('INTERNAL_ERROR', { message: `The account ${accountId} does not exist.` });
  }

  /** Returns the pending entries of an account; none if it does not exist. */
  async findPending(accountId: string): Promise<readonly PendingCredits[]> {
    const account = await this.#accounts.findOne<AccountCredits>({ _id: accountId }, { projection: CREDITS });
    return account?.pending ?? [];
  }

  /** Removes a pending entry and returns credits to the balance; idempotent. A sweep repeats it if it is lost. */
  async giveBack(accountId: string, token: string, credits: number): Promise<void> {
    const { filter, update } = giveBackUpdate(accountId, token, credits);
    await this.#accounts.updateOne(filter, update, { writeConcern: WRITE_CONCERNS.counter });
  }

  /** Removes pending entries and returns their credits, in one round trip; idempotent. */
  async giveBackAll(accountId: string, returns: readonly CreditReturn[]): Promise<void> {
    const updates = returns.map(({ token, credits }) => ({
      updateOne: giveBackUpdate(accountId, token, credits),
    }));
    await this.#accounts.bulkWrite(updates, { ordered: false, writeConcern: WRITE_CONCERNS.counter });
  }

  /** Returns accounts with expired pending entries. */
  async findExpired(now: Date, limit: number): Promise<AccountCredits[]> {
    return await this.#accounts
      .find<AccountCredits>({ 'pending.expiresAt': { $lte: now } }, { projection: CREDITS })
      .limit(limit)
      .toArray();
  }
}

/** Outcomes of operations. */
class Ledger {
  readonly #charges: DriverCollection<ChargeDocument>;
  readonly #observer: ChargeObserver;
  readonly #decide = inGroups(
    (_: ChargeDocument) => '',
    (group) => this.#decideTogether(group),
  );

  constructor(charges: DriverCollection<ChargeDocument>, observer: ChargeObserver) {
    this.#charges = charges;
    this.#observer = observer;
  }

  /**
   * Decides an operation's outcome permanently; returns the outcome in the ledger, this one or an earlier one. Those
   * that are decided at about the same time share a command, and its wait for the disk.
   */
  async decide(charge: ChargeDocument): Promise<ChargeDocument> {
    return await this.#decide(charge);
  }

  /** Decides many outcomes at once; returns those in the ledger, these or earlier ones, in the order given. */
  async decideAll(decisions: readonly ChargeDocument[]): Promise<readonly ChargeDocument[]> {
    if (decisions.length === 0) return [];
    for (const decision of decisions) this.#noteCharge(decision);
    try {
      await this.#charges.insertMany([...decisions], {
        ordered: false,
        writeConcern: WRITE_CONCERNS.durable,
      });
      return decisions;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await confirmWrites(this.#charges.conn);
      const first = await this.#charges.find({ _id: { $in: decisions.map(({ _id }) => _id) } }).toArray();
      const byId = new Map(first.map((charge) => [charge._id, charge]));
      // A tombstone may expire in between; then nothing is decided, and the caller may retry.
      if (byId.size < decisions.length) throw error;
      return decisions.map((decision) => byId.get(decision._id) ?? decision);
    }
  }

  /** Returns the number and credits of the charges with ids within bounds, before a time if one is given. */
  async sumCharges(
    idBounds: { readonly $gte: string; readonly $lt: string },
    before?: Date,
  ): Promise<LedgerSum> {
    const [sum] = await this.#charges
      .aggregate<LedgerSum>([
        { $match: { _id: idBounds, outcome: 'charged', ...(before && { at: { $lt: before } }) } },
        { $group: { _id: null, operations: { $sum: 1 }, credits: { $sum: '$credits' } } },
        { $project: { _id: 0, operations: 1, credits: 1 } },
      ])
      .toArray();
    return sum ?? { operations: 0, credits: 0 };
  }

  /** Sums the first charges and tombstones within bounds, up to a number of them; `lastId` is missing when none is left. */
  async sumSomeCharges(
    idBounds: { readonly $gt: string; readonly $lt: string },
    { limit, before }: { readonly limit: number; readonly before: Date },
  ): Promise<LedgerSum & { readonly lastId?: string }> {
    const rows = await this.#charges
      .aggregate<LedgerSum & { _id: { outcome: string; isEarly: boolean }; lastId: string }>([
        { $match: { _id: idBounds } },
        { $sort: { _id: 1 } },
        { $limit: limit },
        {
          $group: {
            _id: { outcome: '$outcome', isEarly: { $lt: ['$at', before] } },
            operations: { $sum: 1 },
            credits: { $sum: '$credits' },
            lastId: { $max: '$_id' },
          },
        },
      ])
      .toArray();
    const lastId = rows
      .map((row) => row.lastId)
      .toSorted()
      .at(-1);
    const charged = rows.find(({ _id }) => _id.outcome === 'charged' && _id.isEarly);
    const { operations = 0, credits = 0 } = charged ?? {};
    return { operations, credits, ...defined({ lastId }) };
  }

  #noteCharge({ accountId, outcome, at }: ChargeDocument): void {
    if (outcome === 'charged') this.#observer.noteCharge(accountId, at);
  }

  async #decideAlone(charge: ChargeDocument): Promise<ChargeDocument> {
    try {
      await this.#charges.insertOne(charge, { writeConcern: WRITE_CONCERNS.durable });
      this.#noteCharge(charge);
      return charge;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // A tombstone may expire in between; then nothing is decided, and the caller may retry.
      const first = await this.#charges.findOne({ _id: charge._id });
      if (!first) throw error;
      await confirmWrites(this.#charges.conn);
      return first;
    }
  }

  async #decideTogether(group: readonly ChargeDocument[]) {
    const [only, ...others] = group;
    if (only && others.length === 0) return [await this.#decideAlone(only)];
    for (const charge of group) this.#noteCharge(charge);
    try {
      await this.#charges.insertMany([...group], { ordered: false, writeConcern: WRITE_CONCERNS.durable });
      return group;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return group.map((charge) => this.#decideAlone(charge));
    }
  }
}

/** Returns the update that removes a pending entry; it has no effect if the entry is gone. */
function giveBackUpdate(accountId: string, token: string, credits: number) {
  return {
    filter: { _id: accountId, 'pending.token': token },
    update: { $inc: { balance: credits }, $pull: { pending: { token } } },
  };
}
