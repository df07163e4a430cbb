import { AppError } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import type { AccountDocument } from './account-model.ts';

/** Owner of keys, jobs and charges. */
export interface Account {
  readonly id: string;
  readonly name: string;
  /** Credits left to spend; null is unlimited. */
  readonly balance: number | null;
  /** Credits held for operations that are running. */
  readonly reserved: number;
  readonly createdAt: Date;
}

/** Fields of a new account; without a balance it is unlimited. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly balance?: number | null;
}

/** Store of accounts and their balances; the credit store writes their reservations. */
export class AccountStore {
  readonly #accounts: Model<AccountDocument>;

  constructor(accounts: Model<AccountDocument>) {
    this.#accounts = accounts;
  }

  /** Returns the account, or null. */
  async findAccount(id: string): Promise<Account | null> {
    const document = await this.#accounts.findOne({ _id: id }).lean();
    return document && toAccount(document);
  }

  /** Returns the existing accounts among these ids, in any order. */
  async findAccounts(ids: readonly string[]): Promise<Account[]> {
    if (ids.length === 0) return [];
    return (await this.#accounts.find({ _id: { $in: [...ids] } }).lean()).map(toAccount);
  }

  /** Returns the account with this id, creating it if it is missing; an existing one keeps its name and balance. */
  async ensureAccount({ id, name, balance = null }: NewAccount): Promise<Account> {
    assertBalance(balance);
    const fresh = { name, balance, pending: [], createdAt: new Date() };
    const document = await this.#accounts
      .findOneAndUpdate({ _id: id }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
      .lean();
    return toAccount(document);
  }

  /**
   * Sets the balance; null is unlimited. Running operations were paid for by the old balance: their reservations
   * are removed, and no credits of theirs are returned. Returns null if the account does not exist.
   */
  async setBalance(id: string, balance: number | null): Promise<Account | null> {
    assertBalance(balance);
    const document = await this.#accounts
      .findOneAndUpdate({ _id: id }, { $set: { balance, pending: [] } }, { returnDocument: 'after' })
      .lean();
    return document && toAccount(document);
  }

  /** Adds to the balance; an unlimited account stays unlimited. Returns null if the account does not exist. */
  async addCredits(id: string, credits: number): Promise<Account | null> {
    assertBalance(credits);
    const document = await this.#accounts
      .findOneAndUpdate(
        { _id: id, balance: { $ne: null } },
        { $inc: { balance: credits } },
        { returnDocument: 'after' },
      )
      .lean();
    return document ? toAccount(document) : await this.findAccount(id);
  }
}

function toAccount({ _id, name, balance, pending, createdAt }: AccountDocument): Account {
  const reserved = pending.reduce((sum, { credits }) => sum + credits, 0);
  return { id: _id, name, balance, reserved, createdAt };
}

function assertBalance(credits: number | null): void {
  if (credits === null || (Number.isSafeInteger(credits) && credits >= 0)) return;
  throw new AppError('INVALID_REQUEST', {
    message: `${credits} is not a valid number of credits.`,
    suggestion: 'Use a whole number of at least 0, or null for unlimited.',
  });
}
