import { AppError } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import type { AccountDocument } from './account-model.ts';

/** An account: whose the keys, jobs and charges are. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Credits left to spend; null is unlimited. */
  readonly balance: number | null;
  /** Credits held for what is running now. */
  readonly reserved: number;
  readonly createdAt: Date;
}

/** What an account is made of; without a balance it is unlimited. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly balance?: number | null;
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Accounts and their balances; reservations are the credit store's. */
export function createAccountStore({ models: { accounts } }: Pick<Database, 'models'>) {
  const collection = driverCollection(accounts);

  async function findAccount(id: string): Promise<Account | null> {
    const document = await collection.findOne({ _id: id });
    return document && toAccount(document);
  }

  return guarded({
    /** The account, or null. */
    findAccount,

    /** The account with this id, made if it is not there; one that exists keeps its name and balance. */
    async ensureAccount({ id, name, balance = null }: NewAccount): Promise<Account> {
      assertBalance(balance);
      const fresh = { name, balance, pending: [], createdAt: new Date() };
      const document = await accounts
        .findOneAndUpdate({ _id: id }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
        .lean();
      return toAccount(document);
    },

    /**
     * Sets what may be spent from now on; null is unlimited. What is running was paid for by the old balance:
     * its reservations end here, and nothing of them comes back. Null when there is no such account.
     */
    async setBalance(id: string, balance: number | null): Promise<Account | null> {
      assertBalance(balance);
      const document = await accounts
        .findOneAndUpdate({ _id: id }, { $set: { balance, pending: [] } }, { returnDocument: 'after' })
        .lean();
      return document && toAccount(document);
    },

    /** Adds to the balance; an unlimited account stays unlimited. Null when there is no such account. */
    async addCredits(id: string, credits: number): Promise<Account | null> {
      assertBalance(credits);
      const document = await accounts
        .findOneAndUpdate(
          { _id: id, balance: { $ne: null } },
          { $inc: { balance: credits } },
          { returnDocument: 'after' },
        )
        .lean();
      return document ? toAccount(document) : await findAccount(id);
    },
  });
}

function toAccount({ _id, name, balance, pending, createdAt }: AccountDocument): Account {
  const reserved = pending.reduce((sum, { credits }) => sum + credits, 0);
  return { id: _id, name, balance, reserved, createdAt };
}

function assertBalance(credits: number | null): void {
  if (credits === null || (Number.isSafeInteger(credits) && credits >= 0)) return;
  throw new AppError('INVALID_REQUEST', {
    message: `${credits} is not a number of credits.`,
    suggestion: 'Give a whole number that is not negative, or null for unlimited.',
  });
}
