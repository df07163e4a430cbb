import QuickLRU from 'quick-lru';

/** Retention of what an account keeps, and its bytes. */
export interface Keeping {
  readonly retentionMs: number;
  readonly quotaBytes: number;
}

/** Accounts whose new bytes are remembered. */
const MAX_ACCOUNTS = 10_000;
/** Part of the quota that is added before the account is looked through again. */
const UNCHECKED_PART = 1 / 50;

/** Says when an account has to be looked through for what is over its quota: after every fiftieth of it. */
export class QuotaWatch {
  readonly #quotaBytes: number;
  /** Bytes that were added since the account was looked through. */
  readonly #added = new QuickLRU<string, number>({ maxSize: MAX_ACCOUNTS });

  constructor(quotaBytes: number) {
    this.#quotaBytes = quotaBytes;
  }

  /** Notes bytes that were added; returns whether the account is due. */
  isDue(accountId: string, bytes: number): boolean {
    const added = (this.#added.get(accountId) ?? Number.POSITIVE_INFINITY) + bytes;
    const isDue = added > this.#quotaBytes * UNCHECKED_PART;
    this.#added.set(accountId, isDue ? 0 : added);
    return isDue;
  }
}
