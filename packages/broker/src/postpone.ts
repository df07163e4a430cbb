import { AppError, EXCHANGES, type QueueDefinition } from '@gleaner/contracts';
import type { Channel } from 'amqplib';
import type { NameOnBroker } from './declare-topology.ts';
import type { WorkDefinition } from './definitions.ts';
import { encodeJson } from './json-message.ts';
import type { Wires } from './wires.ts';

/**
 * Puts work off. It comes back after the longest of its queue's delays that is not longer than `delayMs`, or the
 * shortest there is: who takes it too early puts it off again. All that wait in one queue wait equally long, so none
 * is held up by another. Rejects with SERVICE_UNAVAILABLE when the broker may not have it.
 */
export function postponeWork<Body>(
  { publisher, nameOnBroker }: Wires,
  { queue }: WorkDefinition<Body>,
  body: Body,
  delayMs: number,
): Promise<void> {
  const waitingRoom = waitingRoomName(queue, longestWithin(delayMs, queue));
  return publisher.publish({
    to: waitingRoom,
    exchange: nameOnBroker(EXCHANGES[queue.exchange].name),
    routingKey: waitingRoom,
    content: encodeJson(body),
    properties: { contentType: 'application/json', persistent: true, mandatory: true },
  });
}

/** Declares the queues in which a queue's work waits: it leaves them for the queue itself, once its time is over. */
export async function declareWaitingRooms(
  channel: Channel,
  definition: QueueDefinition,
  nameOnBroker: NameOnBroker,
): Promise<void> {
  const exchange = nameOnBroker(EXCHANGES[definition.exchange].name);
  for (const { name, delayMs } of waitingRoomsOf(definition)) {
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

/** The queues in which a queue's work waits, and for how long. */
export function waitingRoomsOf(definition: QueueDefinition): { name: string; delayMs: number }[] {
  return (definition.delaysMs ?? []).map((delayMs) => ({
    name: waitingRoomName(definition, delayMs),
    delayMs,
  }));
}

/** The longest delay of the queue that is not longer than this, or its shortest. */
export function longestWithin(delayMs: number, { name, delaysMs = [] }: QueueDefinition): number {
  const [shortest] = delaysMs;
  if (shortest === undefined) {
    throw new AppError('INTERNAL_ERROR', { message: `Work of ${name} cannot be put off: it has no delays.` });
  }
  return delaysMs.findLast((candidate) => candidate <= delayMs) ?? shortest;
}

/** The name of the queue in which a queue's work waits so long. */
export function waitingRoomName({ name }: QueueDefinition, delayMs: number): string {
  return `${name}.after-${delayMs}ms`;
}
