import { AppError } from '@gleaner/contracts';
import type { AccountDocument, PendingCredits } from '../accounts/account-model.ts';
import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { ChargedMonths } from '../usage/charged-months.ts';
import type { ChargeDocument } from './charge-model.ts';

/** What an account holds and is owed. */
export type AccountCredits = Pick<AccountDocument, '_id' | 'balance' | 'pending'>;

export type CreditSteps = ReturnType<typeof createCreditSteps>;

/** What a part of the ledger comes to. */
export interface LedgerSum {
  readonly operations: number;
  readonly credits: number;
}

/** How much of a reservation goes back to the balance. */
export interface CreditReturn {
  readonly token: string;
  readonly credits: number;
}

const CREDITS = { balance: 1, pending: 1 } as const;

/** The atomic steps that reserving, settling, releasing and sweeping are made of; a process may die between any two. */
export function createCreditSteps({ models }: Pick<Database, 'models'>, charged: ChargedMonths) {
  const accounts = driverCollection(models.accounts);
  const charges = driverCollection(models.charges);

  function noteCharge({ accountId, outcome, at }: ChargeDocument): void {
    if (outcome === 'charged') charged.note(accountId, at);
  }

  return guarded({
    /** Moves credits from the balance to a pending entry; false when the balance is short or the operation has one. */
    async hold(accountId: string, pending: PendingCredits): Promise<boolean> {
      const { operationId, credits } = pending;
      const { matchedCount } = await accounts.updateOne(
        { _id: accountId, balance: { $gte: credits }, 'pending.operationId': { $ne: operationId } },
        { $inc: { balance: -credits }, $push: { pending } },
        { writeConcern: WRITE_CONCERNS.durable },
      );
      return matchedCount === 1;
    },

    /** The account's balance and pending entries. */
    async readAccount(accountId: string): Promise<AccountCredits> {
      const account = await accounts.findOne<AccountCredits>({ _id: accountId }, { projection: CREDITS });
      if (account) return account;
      throw new AppError('INTERNAL_ERROR', { message: `There is no account ${accountId}.` });
    },

    /** What an account has pending; nothing where it is gone. */
    async findPending(accountId: string): Promise<readonly PendingCredits[]> {
      const account = await accounts.findOne<AccountCredits>({ _id: accountId }, { projection: CREDITS });
      return account?.pending ?? [];
    },

    /** Decides an operation's outcome for good: this one, or the one that is in the ledger already. */
    async decide(charge: ChargeDocument): Promise<ChargeDocument> {
      try {
        await charges.insertOne(charge, { writeConcern: WRITE_CONCERNS.durable });
        noteCharge(charge);
        return charge;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // A tombstone may be deleted in between; then nothing is decided, and the caller may try again.
        const first = await charges.findOne({ _id: charge._id });
        if (!first) throw error;
        return first;
      }
    },

    /** Decides many outcomes at once: these, or those that are in the ledger already; in their order. */
    async decideAll(decisions: readonly ChargeDocument[]): Promise<readonly ChargeDocument[]> {
      if (decisions.length === 0) return [];
      for (const decision of decisions) noteCharge(decision);
      try {
        await charges.insertMany([...decisions], { ordered: false, writeConcern: WRITE_CONCERNS.durable });
        return decisions;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const first = await charges.find({ _id: { $in: decisions.map(({ _id }) => _id) } }).toArray();
        const byId = new Map(first.map((charge) => [charge._id, charge]));
        // A tombstone may be deleted in between; then nothing is decided, and the caller may try again.
        if (byId.size < decisions.length) throw error;
        return decisions.map((decision) => byId.get(decision._id) ?? decision);
      }
    },

    /** How many operations with such ids were charged, before a moment if one is given, and how much. */
    async sumCharges(
      idBounds: { readonly $gte: string; readonly $lt: string },
      before?: Date,
    ): Promise<LedgerSum> {
      const [sum] = await charges
        .aggregate<LedgerSum>([
          { $match: { _id: idBounds, outcome: 'charged', ...(before && { at: { $lt: before } }) } },
          { $group: { _id: null, operations: { $sum: 1 }, credits: { $sum: '$credits' } } },
          { $project: { _id: 0, operations: 1, credits: 1 } },
        ])
        .toArray();
      return sum ?? { operations: 0, credits: 0 };
    },

    /** Ends a pending entry and puts this much of it back; once more changes nothing. A sweep makes good what is lost. */
    async giveBack(accountId: string, token: string, credits: number): Promise<void> {
      const { filter, update } = giveBackUpdate(accountId, token, credits);
      await accounts.updateOne(filter, update, { writeConcern: WRITE_CONCERNS.counter });
    },

    /** Ends pending entries and puts so much of each back, in one round trip; once more changes nothing. */
    async giveBackAll(accountId: string, returns: readonly CreditReturn[]): Promise<void> {
      const updates = returns.map(({ token, credits }) => ({
        updateOne: giveBackUpdate(accountId, token, credits),
      }));
      await accounts.bulkWrite(updates, { ordered: false, writeConcern: WRITE_CONCERNS.counter });
    },

    /** Accounts with pending entries that have expired. */
    async findExpired(now: Date, limit: number): Promise<AccountCredits[]> {
      return await accounts
        .find<AccountCredits>({ 'pending.expiresAt': { $lte: now } }, { projection: CREDITS })
        .limit(limit)
        .toArray();
    },
  });
}

/** Does nothing where the entry has ended already. */
function giveBackUpdate(accountId: string, token: string, credits: number) {
  return {
    filter: { _id: accountId, 'pending.token': token },
    update: { $inc: { balance: credits }, $pull: { pending: { token } } },
  };
}
