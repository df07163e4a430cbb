import { describe, expect, it } from '@jest/globals';
import { FinishedParts } from './finished-parts.ts';

const partOf = (bytes: number) => ({ chunks: [Buffer.alloc(bytes)], end: bytes });

describe('FinishedParts', () => {
  it('keeps parts within its bytes, and drops the one that was read least recently', () => {
    const parts = new FinishedParts({ maxBytes: 10 });
    parts.set('a', partOf(4));
    parts.set('b', partOf(4));
    expect(parts.get('a')?.end).toBe(4);
    parts.set('c', partOf(5));
    expect(['a', 'b', 'c'].map((key) => parts.get(key)?.end)).toEqual([4, undefined, 5]);
  });

  it('replaces a part, and does not keep one that is too large', () => {
    const parts = new FinishedParts({ maxBytes: 10 });
    parts.set('a', partOf(9));
    parts.set('a', partOf(10));
    parts.set('b', partOf(11));
    expect([parts.get('a')?.end, parts.get('b')]).toEqual([10, undefined]);
  });
});
