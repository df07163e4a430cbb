import type { DeliveryDocument } from './delivery-model.ts';

/** Stored delivery with its id, without its body. */
export type StoredDelivery = Omit<
  DeliveryDocument,
  '_id' | 'body' | 'endpoint' | 'expiresAt' | 'lane' | 'sentKey'
> & {
  readonly id: string;
};

/** Projection of deliveries without the body, which may be large. */
export const WITHOUT_BODY = { body: 0 };

/** Converts a document. */
export function toStoredDelivery(document: DeliveryDocument): StoredDelivery {
  const { _id, body: _body, endpoint: _endpoint, expiresAt: _expiresAt, ...kept } = document;
  const { lane: _lane, sentKey: _sentKey, ...rest } = kept;
  return { id: _id, ...rest };
}
