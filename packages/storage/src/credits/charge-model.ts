import type { CreditsBreakdown } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/** Operations of charges; a `cached` page was not fetched and costs nothing. */
export const OPERATIONS = ['scrape', 'map', 'page', 'cached'] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * Stored outcome of an operation; `_id` is the id of the operation, so it has only one.
 * A released one is the tombstone that prevents a late charge; it expires.
 */
export interface ChargeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly outcome: 'charged' | 'released';
  /** Token of the reservation that this ends; null if nothing was held. */
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

export const chargeSchema = documentSchema<ChargeDocument>({
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
});
chargeSchema.index({ accountId: 1, at: 1 });
chargeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
