import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** Sum of charges. */
export interface UsageTally {
  readonly credits: number;
  readonly requests: number;
}

/** Charges of one account in one month, as far as its ledger is counted; `_id` is `<accountId>:<month>`. */
export interface UsageMonthDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Month in UTC, YYYY-MM. */
  readonly month: string;
  /** Charges before this time are in `days`; later ones are only in the ledger. */
  readonly countedTo: Date;
  /** Days before this one were counted again, when no charge of theirs could still arrive late. */
  readonly checkedTo: Date;
  /** Single charges of days before this one are deleted; missing once all of them are. */
  readonly ledgerFrom?: Date;
  /** Sums by day (UTC, YYYY-MM-DD), then by operation. */
  readonly days: Readonly<Record<string, Readonly<Record<string, UsageTally>>>>;
}

export const usageMonthSchema = documentSchema<UsageMonthDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    month: { type: String, required: true },
    countedTo: { type: Date, required: true },
    checkedTo: { type: Date, required: true },
    ledgerFrom: Date,
    days: { type: Schema.Types.Mixed, required: true },
  },
  { minimize: false },
);
usageMonthSchema.index({ ledgerFrom: 1 }, { sparse: true });

export const DAY_MS = 24 * 3600_000;

/** Delay with which charges may enter the ledger after their own time: repeated writes, slow clocks. */
export const COUNT_AFTER_MS = 5 * 60_000;

/** Delay after which no charge arrives, not even from a paused process or a wrong clock. */
export const CHECK_AFTER_MS = 24 * 3600_000;

/** Time between two counts of a month. */
export const PACE_MS = 60_000;

/** Month (UTC) of an account. */
export interface AccountMonth {
  readonly id: string;
  readonly accountId: string;
  /** Month, YYYY-MM. */
  readonly month: string;
  readonly start: Date;
  /** First time after the month. */
  readonly end: Date;
}

/** Returns the month that contains a time. */
export function monthOf(accountId: string, moment: Date): AccountMonth {
  const month = moment.toISOString().slice(0, 7);
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  return { id: `${accountId}:${month}`, accountId, month, start, end };
}

/** Returns in order the months of a period, which includes `from` and excludes `to`. */
export function monthsBetween(accountId: string, from: Date, to: Date): AccountMonth[] {
  const months: AccountMonth[] = [];
  for (let moment = from; moment < to; ) {
    const month = monthOf(accountId, moment);
    months.push(month);
    moment = month.end;
  }
  return months;
}
