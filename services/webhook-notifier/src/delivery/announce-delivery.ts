import type { Broker } from '@gleaner/broker';
import type { Logger } from '@gleaner/service-kit';
import type { StoredDelivery } from '@gleaner/storage';

/** What announcing a delivery takes. */
export interface AnnounceDeps {
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly logger: Logger;
}

/** Queues the next try of a delivery that is due. Where that fails, the reconciler does it later. */
export async function announceDelivery(
  { id, attemptCount, status }: Pick<StoredDelivery, 'id' | 'attemptCount' | 'status'>,
  { broker, logger }: AnnounceDeps,
): Promise<void> {
  if (status !== 'pending') return;
  const turn = { deliveryId: id, attempt: attemptCount + 1, deferrals: 0 };
  const [err] = await broker.publishWork('webhooks.deliveries', [turn]);
  if (err) logger.warn({ err, deliveryId: id }, 'A delivery was not queued; it is queued again later.');
}
