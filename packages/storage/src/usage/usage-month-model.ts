import { Schema } from 'mongoose';

/** What charges come to. */
export interface UsageTally {
  readonly credits: number;
  readonly requests: number;
}

/** What one account was charged in one month, as far as its ledger is counted; `_id` is `<accountId>:<month>`. */
export interface UsageMonthDocument {
  readonly _id: string;
  readonly accountId: string;
  /** UTC, YYYY-MM. */
  readonly month: string;
  /** Charges before this moment are in `days`; those from it on are in the ledger alone. */
  readonly countedTo: Date;
  /** Days before this one were counted once more, when no charge of theirs could come late any more. */
  readonly checkedTo: Date;
  /** By day (UTC, YYYY-MM-DD), then by operation. */
  readonly days: Readonly<Record<string, Readonly<Record<string, UsageTally>>>>;
}

export const usageMonthSchema = new Schema<UsageMonthDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    month: { type: String, required: true },
    countedTo: { type: Date, required: true },
    checkedTo: { type: Date, required: true },
    days: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false, strict: 'throw', minimize: false },
);
