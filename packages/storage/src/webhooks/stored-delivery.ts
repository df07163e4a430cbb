import type { DeliveryDocument } from './delivery-model.ts';

/** Stored delivery with its id, without its body. */
export type StoredDelivery = Omit<DeliveryDocument, '_id' | 'body' | 'endpoint' | 'expiresAt'> & {
  readonly id: string;
};

/** Projection of deliveries that leaves out the body, which may be large. */
export const WITHOUT_BODY = { body: 0 };

/** Converts a document. */
export function toStoredDelivery(document: DeliveryDocument): StoredDelivery {
  const { _id, body: _body, endpoint: _endpoint, expiresAt: _expiresAt, ...rest } = document;
  return { id: _id, ...rest };
}
