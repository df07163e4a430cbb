import { toAppError } from '@gleaner/contracts';
import { declareExchange } from '../messages/declare-queues.ts';
import type { BroadcastDefinition } from '../messages/definitions.ts';
import { decodeJson } from '../messages/json-message.ts';
import type { Delivery } from './delivery.ts';
import type { BroadcastHandler } from './incoming.ts';
import { type ConsumingDeps, Subscription } from './subscription.ts';

/** Broadcasts are hints: a listener that is this many messages behind misses the oldest. */
const MAX_WAITING = 10_000;

/** Listens to a broadcast from now on; messages sent while the connection is away are missed. */
export function onBroadcast<Body>(
  deps: ConsumingDeps,
  { exchange, checkBody }: BroadcastDefinition<Body>,
  handler: BroadcastHandler<Body>,
): Subscription {
  return new Subscription({
    deps,
    connection: deps.consuming,
    name: exchange.name,
    prefetch: 100,
    declare: async (channel) => {
      const source = await declareExchange(channel, exchange, deps.nameOnBroker);
      const { queue } = await channel.assertQueue('', {
        exclusive: true,
        autoDelete: true,
        durable: false,
        arguments: { 'x-max-length': MAX_WAITING },
      });
      await channel.bindQueue(queue, source, '');
      return queue;
    },
    onDelivery: async (delivery: Delivery) => {
      try {
        await handler(decodeJson(delivery.message.content, checkBody, `A message of ${exchange.name}`));
      } catch (thrown) {
        const { details } = toAppError(thrown);
        deps.logger.error(
          { err: thrown, details },
          `Dropped a message of ${exchange.name}: its handler failed.`,
        );
      }
      delivery.ack();
    },
  });
}
