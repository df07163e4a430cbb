import {
  createId,
  defined,
  type JobEvent,
  SINK_DELIVERY,
  type SinkOptions,
  sinkKeyOf,
} from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from '../delivery/announce-delivery.ts';
import type { SinkOrder } from '../sinks/write-job.ts';

/** Collaborators of creating the deliveries of sinks. */
interface SinkDeliveryDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries'>;
  readonly retentionMs: number;
}

/** Creates the delivery that writes the results of a job to its sink; a repeated event creates none. */
export async function deliverToSink(
  { id, at }: JobEvent,
  job: StoredJob,
  sinkJson: string,
  deps: SinkDeliveryDeps,
): Promise<void> {
  const { stores, retentionMs } = deps;
  const sink = JSON.parse(sinkJson) as SinkOptions;
  const order: SinkOrder = { sink, key: sinkKeyOf(sink, job) };
  const createdAt = stores.clock.now();
  const eventId = `${id}_sink`;
  const delivery = await stores.deliveries.insertDelivery({
    id: createId('del'),
    accountId: job.accountId,
    eventId,
    type: SINK_DELIVERY,
    jobId: job.id,
    ...defined({ scheduleId: job.scheduleId }),
    url: `sink://${sink.name}/${order.key}/`,
    body: JSON.stringify({ id: eventId, type: SINK_DELIVERY, timestamp: at, data: order }),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + retentionMs),
  });
  await announceDelivery(delivery, deps);
}
