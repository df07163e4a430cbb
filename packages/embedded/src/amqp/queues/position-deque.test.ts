import { describe, expect, it } from '@jest/globals';
import { messageFromBytes, type QueueEntry } from '../messages/message.ts';
import { PositionDeque } from './position-deque.ts';

describe('PositionDeque', () => {
  it('puts every entry back in its place, however many left and returned', () => {
    const deque = new PositionDeque();
    for (let position = 1; position <= 5_000; position += 1) deque.insert(entry(position));
    const taken = Array.from({ length: 3_000 }, () => deque.shift() as QueueEntry);
    for (const each of shuffled(taken)) deque.insert(each);
    expect(deque.length).toBe(5_000);
    const positions = Array.from({ length: 5_000 }, () => deque.shift()?.position);
    expect(positions).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
    expect(deque.shift()).toBeUndefined();
  });
});

function entry(position: number): QueueEntry {
  const message = messageFromBytes('', '', Buffer.alloc(2), Buffer.alloc(0));
  return {
    position,
    message,
    expiresAtMs: undefined,
    isStored: false,
    isRedelivered: false,
    returnCount: 0,
  };
}

/** Every seventh, then every sixth …: an order that hits the front, the middle and the end. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return [7, 6, 5, 4, 3, 2, 1].flatMap((stride) =>
    items.filter(
      (_, index) => index % stride === 0 && [7, 6, 5, 4, 3, 2].every((s) => s <= stride || index % s !== 0),
    ),
  );
}
