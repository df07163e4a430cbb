import type { CreditsBreakdown } from '@gleaner/contracts';
import { Schema } from 'mongoose';

/** What credits are spent on. */
export const OPERATIONS = ['scrape', 'page'] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * The one outcome of an operation; `_id` is the operation's, so that there can't be two.
 * A released one is the tombstone that keeps a late charge out; it is deleted after a while.
 */
export interface ChargeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly outcome: 'charged' | 'released';
  /** Of the reservation that this ends; null where nothing was held. */
  readonly token: string | null;
  readonly credits: number;
  readonly at: Date;
  readonly operation?: Operation;
  readonly keyId?: string;
  readonly breakdown?: CreditsBreakdown;
  /** UTC, YYYY-MM-DD. */
  readonly day?: string;
  readonly expiresAt?: Date;
}

export const chargeSchema = new Schema<ChargeDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    outcome: { type: String, enum: ['charged', 'released'], required: true },
    token: { type: String, default: null },
    credits: { type: Number, required: true },
    at: { type: Date, required: true },
    operation: { type: String, enum: OPERATIONS },
    keyId: String,
    breakdown: { type: Map, of: Number },
    day: String,
    expiresAt: Date,
  },
  { versionKey: false, strict: 'throw' },
);
chargeSchema.index({ accountId: 1, at: 1 });
chargeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
