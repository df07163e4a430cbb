import type { Channel, MethodHandlers } from '../channels/channel.ts';
import type { Delivery } from '../channels/unacked-list.ts';

/** Handlers for the outcome of deliveries: ack, nack, reject. */
export const ackMethods: MethodHandlers = {
  'basic.ack'(channel, { deliveryTag, multiple }) {
    const deliveries = channel.unacked.take(Number(deliveryTag), multiple);
    settle(deliveries, ({ queue, entry }) => queue.settle(entry));
  },

  'basic.nack'(channel, { deliveryTag, multiple, requeue }) {
    refuse(channel, channel.unacked.take(Number(deliveryTag), multiple), requeue);
  },

  'basic.reject'(channel, { deliveryTag, requeue }) {
    refuse(channel, channel.unacked.take(Number(deliveryTag), false), requeue);
  },
};

function settle(deliveries: readonly Delivery[], finish: (delivery: Delivery) => void): void {
  for (const delivery of deliveries) {
    delivery.consumer?.onSettled();
    finish(delivery);
  }
  dispatchAfter(deliveries);
}

function refuse(channel: Channel, deliveries: readonly Delivery[], isRequeue: boolean): void {
  if (!isRequeue) {
    settle(deliveries, ({ queue, entry }) => queue.reject(entry));
    return;
  }
  channel.requeue(deliveries);
  dispatchAfter(deliveries);
}

function dispatchAfter(deliveries: readonly Delivery[]): void {
  for (const queue of new Set(deliveries.map((delivery) => delivery.queue))) queue.dispatch();
}
