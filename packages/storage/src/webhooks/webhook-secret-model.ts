import { Schema } from 'mongoose';

/** A secret that was replaced, and until when deliveries are still signed with it. */
export interface RetiredSecret {
  readonly secret: string;
  readonly until: Date;
}

/** What the webhooks of an account are signed with. It is kept as it is: a signature can't be made from a hash. */
export interface WebhookSecretDocument {
  /** The account. */
  readonly _id: string;
  readonly secret: string;
  readonly createdAt: Date;
  readonly retired: RetiredSecret[];
}

export const webhookSecretSchema = new Schema<WebhookSecretDocument>(
  {
    _id: { type: String, required: true },
    secret: { type: String, required: true },
    createdAt: { type: Date, required: true },
    retired: [{ _id: false, secret: String, until: Date }],
  },
  { versionKey: false, strict: 'throw' },
);
