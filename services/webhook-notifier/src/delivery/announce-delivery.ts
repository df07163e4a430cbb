import type { Broker } from '@gleaner/broker';
import type { Logger } from '@gleaner/service-kit';
import type { StoredDelivery } from '@gleaner/storage';

/** Collaborators of queuing a delivery. */
export interface AnnounceDeps {
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly logger: Logger;
}

/** Queues the next attempt of a due delivery. If this fails, the reconciler queues it later. */
export async function announceDelivery(
  { id, attemptCount, status }: Pick<StoredDelivery, 'id' | 'attemptCount' | 'status'>,
  { broker, logger }: AnnounceDeps,
): Promise<void> {
  if (status !== 'pending') return;
  const turn = { deliveryId: id, attempt: attemptCount + 1, deferrals: 0 };
  const [err] = await broker.publishWork('webhooks.deliveries', [turn]);
  if (err) logger.warn({ err, deliveryId: id }, 'A delivery was not queued; the reconciler queues it again.');
}
