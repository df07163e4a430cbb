import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MemoryGauge } from '../messages/memory-gauge.ts';
import { messageFromBytes, type QueueEntry } from '../messages/message.ts';
import { EMPTY_TABLE, type FieldValue } from '../wire/field-table.ts';
import { encodeProperties } from '../wire/properties.ts';
import type { Consumer } from './consumer-ring.ts';
import { Queue, type QueueDeps } from './queue.ts';

describe('Queue', () => {
  it('gets to what is still good behind thousands of expired messages', async () => {
    let nowMs = 1_000;
    const { queue, deaths } = createQueue({ now: () => nowMs });
    for (let count = 0; count < 2_500; count += 1) queue.enqueue(messageOf('old', '10'));
    queue.enqueue(messageOf('good'));
    nowMs += 1_000;
    const consumer = createConsumer(10);
    queue.addConsumer(consumer);
    queue.dispatch();
    while (consumer.texts.length === 0) await turn();
    expect(consumer.texts).toEqual(['good']);
    expect(deaths.length).toBe(2_500);
    queue.close();
  });

  it('leaves nothing in the account of memory, whatever way its messages go', () => {
    const memory = new MemoryGauge(0);
    const { queue } = createQueue({ memory }, [['x-max-length', { tag: 'I', value: 4 }]]);
    for (const text of ['dropped', 'acked', 'rejected', 'requeued', 'purged']) queue.enqueue(messageOf(text));
    const [acked, rejected, requeued] = [queue.get(), queue.get(), queue.get()] as QueueEntry[];
    queue.settle(acked as QueueEntry);
    queue.reject(rejected as QueueEntry);
    queue.requeue([requeued as QueueEntry]);
    const held = queue.get() as QueueEntry;
    expect(memory.isFull).toBe(true);
    queue.delete();
    queue.requeue([held]);
    expect(memory.isFull).toBe(false);
  });
});

function createQueue(overrides: Partial<QueueDeps>, args: [string, FieldValue][] = []) {
  const deaths: string[] = [];
  const store = { put() {}, remove() {}, markDelivered() {}, markReturned() {} };
  const deps: QueueDeps = {
    store,
    memory: new MemoryGauge(Number.POSITIVE_INFINITY),
    now: Date.now,
    onDeath: (_, message) => deaths.push(message.body.toString()),
    onUnused: () => {},
    ...overrides,
  };
  const definition = { name: 'q', isDurable: false, isExclusive: false, isAutoDelete: false };
  return {
    queue: new Queue(
      { ...definition, args: args.length > 0 ? new Map(args) : EMPTY_TABLE },
      1,
      undefined,
      deps,
    ),
    deaths,
  };
}

function createConsumer(room: number): Consumer & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    tag: 'tag',
    canTake: () => texts.length < room,
    deliver: ({ message }) => texts.push(message.body.toString()),
    onQueueGone() {},
  };
}

function messageOf(text: string, expiration?: string) {
  const properties = encodeProperties(expiration === undefined ? {} : { expiration });
  return messageFromBytes('', 'q', properties, Buffer.from(text));
}
