import { documentSchema } from '../document-schema.ts';

/** Replaced secret, with which deliveries are still signed until a time. */
export interface RetiredSecret {
  readonly secret: string;
  readonly until: Date;
}

/** Signing secret of the webhooks of an account, stored in plain text, since a hash cannot sign. */
export interface WebhookSecretDocument {
  /** Id of the account. */
  readonly _id: string;
  readonly secret: string;
  readonly createdAt: Date;
  readonly retired: RetiredSecret[];
}

export const webhookSecretSchema = documentSchema<WebhookSecretDocument>({
  _id: { type: String, required: true },
  secret: { type: String, required: true },
  createdAt: { type: Date, required: true },
  retired: [{ _id: false, secret: String, until: Date }],
});
