import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** Credits held for one operation until it is settled or released. */
export interface PendingCredits {
  readonly operationId: string;
  /** Distinguishes this reservation from others of the same operation. */
  readonly token: string;
  readonly credits: number;
  readonly at: Date;
  /** Time from which a sweep may release it. */
  readonly expiresAt: Date;
}

/** Stored account; pending credits are already subtracted from `balance`, and a null balance is unlimited. */
export interface AccountDocument {
  readonly _id: string;
  readonly name: string;
  readonly balance: number | null;
  readonly pending: PendingCredits[];
  readonly createdAt: Date;
}

const pendingSchema = new Schema<PendingCredits>(
  {
    operationId: { type: String, required: true },
    token: { type: String, required: true },
    credits: { type: Number, required: true },
    at: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { _id: false },
);

export const accountSchema = documentSchema<AccountDocument>({
  _id: { type: String, required: true },
  name: { type: String, required: true },
  balance: { type: Number, default: null },
  pending: { type: [pendingSchema], default: [] },
  createdAt: { type: Date, required: true },
});
accountSchema.index({ 'pending.expiresAt': 1 });
