import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

function filled(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item.slice(0, 1), item);
  return queue;
}

/** Removes and returns all items, in order. */
function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe('FairQueue', () => {
  it('alternates between queues, and keeps the order within each', () => {
    expect(drained(filled('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('puts a new queue behind those already waiting', () => {
    const queue = filled('a1', 'a2', 'b1', 'b2');
    expect(queue.shift()).toBe('a1');
    queue.push('c', 'c1');
    expect(drained(queue)).toEqual(['b1', 'a2', 'c1', 'b2']);
  });

  it('passes over queues whose first item is not acceptable', () => {
    const queue = filled('a1', 'b1', 'b2');
    expect(queue.shift((item) => item.startsWith('b'))).toBe('b1');
    queue.unshift('b', 'b0');
    expect(queue.shift((item) => item === 'b2')).toBeUndefined();
    expect(drained(queue)).toEqual(['a1', 'b0', 'b2']);
  });

  it('removes only the given item', () => {
    const queue = filled('a1', 'a2', 'b1');
    queue.remove('a', 'a1');
    queue.remove('b', 'a2');
    queue.remove('c', 'c1');
    queue.remove('b', 'b1');
    queue.remove('b', 'b1');
    expect(queue.size).toBe(1);
    expect(drained(queue)).toEqual(['a2']);
    expect(queue.size).toBe(0);
  });
});
