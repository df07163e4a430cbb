import { AppError, EXCHANGES, type QueueDefinition } from '@gleaner/contracts';
import type { Channel } from 'amqplib';
import type { NameOnBroker } from './declare-queues.ts';

/** Declares the queues in which postponed work waits: when its time is over it moves on to the work queue itself. */
export async function declareDelayQueues(
  channel: Channel,
  definition: QueueDefinition,
  nameOnBroker: NameOnBroker,
): Promise<void> {
  const exchange = nameOnBroker(EXCHANGES[definition.exchange].name);
  for (const { name, delayMs } of delayQueuesOf(definition)) {
    const settings = {
      'x-queue-type': 'quorum',
      'x-message-ttl': delayMs,
      'x-max-length': definition.maxLength,
      'x-overflow': 'reject-publish',
      'x-dead-letter-exchange': exchange,
      'x-dead-letter-routing-key': definition.routingKey,
      'x-dead-letter-strategy': 'at-least-once',
    };
    await channel.assertQueue(nameOnBroker(name), { durable: true, arguments: settings });
    await channel.bindQueue(nameOnBroker(name), exchange, name);
  }
}

/** Lists the delay queues of a work queue, by name and delay. */
export function delayQueuesOf(definition: QueueDefinition): { name: string; delayMs: number }[] {
  return (definition.delaysMs ?? []).map((delayMs) => ({
    name: delayQueueName(definition, delayMs),
    delayMs,
  }));
}

/** Returns the longest delay of the queue that is not longer than this, or its shortest. */
export function longestDelayWithin(delayMs: number, { name, delaysMs = [] }: QueueDefinition): number {
  const [shortest] = delaysMs;
  if (shortest === undefined) {
    throw new AppError('INTERNAL_ERROR', {
      message: `Work of ${name} cannot be postponed: it has no delays.`,
    });
  }
  return delaysMs.findLast((candidate) => candidate <= delayMs) ?? shortest;
}

/** Returns the name of the queue in which work of this queue waits so long. */
export function delayQueueName({ name }: QueueDefinition, delayMs: number): string {
  return `${name}.after-${delayMs}ms`;
}
