import { EXCHANGES, type ExchangeDefinition, type QueueDefinition, type QueueKind } from '@gleaner/contracts';
import type { Channel } from 'amqplib';

/** Number of times a message of a work queue may be delivered again before it goes to the dead letters. */
export const WORK_DELIVERY_LIMIT = 10;

/** Maps the name of a queue or exchange in the contracts to its name on the broker, with the installation's prefix. */
export type NameOnBroker = (name: string) => string;

/**
 * Settings of each kind of queue. All are durable, since RabbitMQ 4.3 rejects shared queues that are not.
 * Requests wait in memory (classic queue, transient messages); work is replicated and safe on disk (quorum).
 */
const QUEUE_ARGUMENTS: Readonly<
  Record<QueueKind, (queue: QueueDefinition, nameOnBroker: NameOnBroker) => Record<string, unknown>>
> = {
  request: ({ maxLength }) => ({
    'x-queue-type': 'classic',
    'x-max-length': maxLength,
    'x-overflow': 'reject-publish',
  }),
  work: ({ maxLength }, nameOnBroker) => ({
    'x-queue-type': 'quorum',
    'x-max-length': maxLength,
    'x-overflow': 'reject-publish',
    'x-delivery-limit': WORK_DELIVERY_LIMIT,
    'x-dead-letter-exchange': nameOnBroker(EXCHANGES.deadLetters.name),
    'x-dead-letter-strategy': 'at-least-once',
  }),
  'dead-letters': ({ maxLength }) => ({
    'x-queue-type': 'quorum',
    'x-max-length': maxLength,
    'x-overflow': 'reject-publish',
  }),
};

/** Declares an exchange; returns its name on the broker. */
export async function declareExchange(
  channel: Channel,
  { name, type }: ExchangeDefinition,
  nameOnBroker: NameOnBroker,
): Promise<string> {
  const exchange = nameOnBroker(name);
  await channel.assertExchange(exchange, type, { durable: true });
  return exchange;
}

/** Declares a queue, its exchange and the binding between them; returns the queue's name on the broker. */
export async function declareQueue(
  channel: Channel,
  definition: QueueDefinition,
  nameOnBroker: NameOnBroker,
): Promise<string> {
  const queue = nameOnBroker(definition.name);
  const exchange = await declareExchange(channel, EXCHANGES[definition.exchange], nameOnBroker);
  const settings = QUEUE_ARGUMENTS[definition.kind](definition, nameOnBroker);
  await channel.assertQueue(queue, { durable: true, arguments: settings });
  await channel.bindQueue(queue, exchange, definition.routingKey);
  return queue;
}
