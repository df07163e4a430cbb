import { Schema } from 'mongoose';

/** Credits held for one operation until it is settled or released. */
export interface PendingCredits {
  readonly operationId: string;
  /** Tells this reservation from any other of the same operation. */
  readonly token: string;
  readonly credits: number;
  readonly at: Date;
  /** When a sweep may end it. */
  readonly expiresAt: Date;
}

/** An account as it is stored; `balance` has the pending credits already taken off, null is unlimited. */
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

export const accountSchema = new Schema<AccountDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    balance: { type: Number, default: null },
    pending: { type: [pendingSchema], default: [] },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
accountSchema.index({ 'pending.expiresAt': 1 });
