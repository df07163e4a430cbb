import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Announces that a delivery is due. The database holds its state and its body. */
export const DeliveryTurnSchema = Type.Object(
  {
    deliveryId: Type.String(),
    /** Number of the attempt that is due, from 1; the message is ignored once that attempt was made. */
    attempt: Type.Integer({ minimum: 1 }),
    /** Number of times in a row that the endpoint had no free slot for it. */
    deferrals: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type DeliveryTurn = Static<typeof DeliveryTurnSchema>;

const ACCOUNT = { accountId: Type.String() };

/** Commands of the webhook-notifier. */
export const WebhookCommandSchema = Type.Union([
  /** Creates the account's secret unless it has one. */
  Type.Object({ type: OneOf(['ensure-secret']), ...ACCOUNT }, { additionalProperties: false }),
  /** Creates a new secret; the old one also signs for a while. */
  Type.Object({ type: OneOf(['rotate-secret']), ...ACCOUNT }, { additionalProperties: false }),
  /** Restarts the attempts of a delivery. */
  Type.Object(
    { type: OneOf(['redeliver']), ...ACCOUNT, deliveryId: Type.String() },
    { additionalProperties: false },
  ),
  /** Sends a test event once and replies with the outcome. */
  Type.Object({ type: OneOf(['test']), ...ACCOUNT, url: Type.String() }, { additionalProperties: false }),
  /** Sends a test message to a channel once and replies with the outcome. */
  Type.Object(
    { type: OneOf(['test-channel']), ...ACCOUNT, channelId: Type.String() },
    { additionalProperties: false },
  ),
]);
export type WebhookCommand = Static<typeof WebhookCommandSchema>;

/** The command took effect; the id names the delivery in the database. */
export const WebhookReplySchema = Type.Object(
  { deliveryId: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
export type WebhookReply = Static<typeof WebhookReplySchema>;
