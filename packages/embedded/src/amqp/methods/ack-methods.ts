import type { Channel, MethodHandlers } from '../channels/channel.ts';
import type { Delivery } from '../channels/unacked-list.ts';
import { AmqpError } from '../wire/amqp-error.ts';

/** Handlers for the outcome of deliveries: ack, nack, reject, recover. */
export const ackMethods: MethodHandlers = {
  'basic.ack'(channel, { deliveryTag, multiple }) {
    const deliveries = channel.unacked.take(Number(deliveryTag), multiple);
    settle(channel, deliveries, ({ queue, entry }) => queue.settle(entry));
  },

  'basic.nack'(channel, { deliveryTag, multiple, requeue }) {
    refuse(channel, channel.unacked.take(Number(deliveryTag), multiple), requeue);
  },

  'basic.reject'(channel, { deliveryTag, requeue }) {
    refuse(channel, channel.unacked.take(Number(deliveryTag), false), requeue);
  },

  'basic.recover'(channel, { requeue }) {
    recover(channel, requeue);
    channel.send('basic.recover-ok', {});
  },

  'basic.recover-async'(channel, { requeue }) {
    recover(channel, requeue);
  },
};

function settle(
  channel: Channel,
  deliveries: readonly Delivery[],
  finish: (delivery: Delivery) => void,
): void {
  for (const delivery of deliveries) {
    delivery.consumer?.onSettled();
    finish(delivery);
  }
  dispatchAfter(channel, deliveries);
}

function refuse(channel: Channel, deliveries: readonly Delivery[], isRequeue: boolean): void {
  if (!isRequeue) {
    settle(channel, deliveries, ({ queue, entry }) => queue.reject(entry));
    return;
  }
  channel.requeue(deliveries);
  dispatchAfter(channel, deliveries);
}

function recover(channel: Channel, isRequeue: boolean): void {
  if (!isRequeue) throw new AmqpError('NOT_IMPLEMENTED', 'requeue=false');
  refuse(channel, channel.unacked.takeAll(), true);
}

/** A shared limit may hold back every consumer of the channel, a limit of its own only the one that got it. */
function dispatchAfter(channel: Channel, deliveries: readonly Delivery[]): void {
  if (channel.sharedPrefetchLimit > 0) {
    channel.dispatch();
    return;
  }
  const [only] = deliveries;
  if (deliveries.length === 1) {
    only?.queue.dispatch();
    return;
  }
  for (const queue of new Set(deliveries.map((delivery) => delivery.queue))) queue.dispatch();
}
