import { Schema } from 'mongoose';

/** A role that one process at a time may play, until a moment unless it renews. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly until: Date;
}

export const leaseSchema = new Schema<LeaseDocument>(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    until: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
