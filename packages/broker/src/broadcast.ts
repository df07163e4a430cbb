import { toAppError } from '@gleaner/contracts';
import { declareExchange } from './declare-topology.ts';
import type { BroadcastDefinition } from './definitions.ts';
import type { Delivery } from './delivery.ts';
import type { BroadcastHandler } from './incoming.ts';
import { decodeJson, encodeJson } from './json-message.ts';
import { Subscription } from './subscription.ts';
import type { Wires } from './wires.ts';

/** Announcements are hints: a listener that is this far behind misses the oldest. */
const MAX_WAITING = 10_000;

/** Tells every process that listens at this moment; resolves once the broker has it, whoever hears it. */
export async function broadcast<Body>(
  { publisher, nameOnBroker }: Wires,
  { exchange }: BroadcastDefinition<Body>,
  body: Body,
): Promise<void> {
  await publisher.publish({
    to: exchange.name,
    exchange: nameOnBroker(exchange.name),
    routingKey: '',
    content: encodeJson(body),
    properties: { contentType: 'application/json' },
  });
}

/** Hears the announcements from now on; those made while the connection is away are missed. */
export function onBroadcast<Body>(
  wires: Wires,
  { exchange, checkBody }: BroadcastDefinition<Body>,
  handler: BroadcastHandler<Body>,
): Subscription {
  return new Subscription({
    wires,
    link: wires.consuming,
    name: exchange.name,
    prefetch: 100,
    declare: async (channel) => {
      const source = await declareExchange(channel, exchange, wires.nameOnBroker);
      const arguments_ = { 'x-max-length': MAX_WAITING };
      const { queue } = await channel.assertQueue('', {
        exclusive: true,
        autoDelete: true,
        durable: false,
        arguments: arguments_,
      });
      await channel.bindQueue(queue, source, '');
      return queue;
    },
    onDelivery: async (delivery: Delivery) => {
      try {
        await handler(decodeJson(delivery.message.content, checkBody, `A message of ${exchange.name}`));
      } catch (thrown) {
        const { details } = toAppError(thrown);
        wires.logger.error(
          { err: thrown, details },
          `A message of ${exchange.name} was not handled; it is dropped.`,
        );
      }
      delivery.ack();
    },
  });
}
