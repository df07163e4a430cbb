import { type Static, Type } from 'typebox';
import { OneOf } from '../schema/map-of.ts';

/** A delivery is due. The database says whether it still is, and what to send. */
export const DeliveryTurnSchema = Type.Object(
  {
    deliveryId: Type.String(),
    /** The try that it is for, from 1; once that is made the message means nothing. */
    attempt: Type.Integer({ minimum: 1 }),
    /** How often in a row the endpoint had no room for it. */
    deferrals: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type DeliveryTurn = Static<typeof DeliveryTurnSchema>;

const ACCOUNT = { accountId: Type.String() };

/** What the webhook-notifier can be told. */
export const WebhookCommandSchema = Type.Union([
  /** Make the account's secret, unless it has one. */
  Type.Object({ type: OneOf(['ensure-secret']), ...ACCOUNT }, { additionalProperties: false }),
  /** Make a new secret; the old one signs as well for a while. */
  Type.Object({ type: OneOf(['rotate-secret']), ...ACCOUNT }, { additionalProperties: false }),
  /** Begin the tries of a delivery anew. */
  Type.Object(
    { type: OneOf(['redeliver']), ...ACCOUNT, deliveryId: Type.String() },
    { additionalProperties: false },
  ),
  /** Send a test event, once, and answer when that is over. */
  Type.Object({ type: OneOf(['test']), ...ACCOUNT, url: Type.String() }, { additionalProperties: false }),
]);
export type WebhookCommand = Static<typeof WebhookCommandSchema>;

/** The command took effect; what there is to see of it is in the database, a delivery under this id. */
export const WebhookReplySchema = Type.Object(
  { deliveryId: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
export type WebhookReply = Static<typeof WebhookReplySchema>;
