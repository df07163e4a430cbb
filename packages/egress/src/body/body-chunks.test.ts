import { describe, expect, it } from '@jest/globals';
import { BodyChunks } from './body-chunks.ts';

describe('BodyChunks', () => {
  it('joins its chunks and frees memory that is not shared', () => {
    const alone = Buffer.from(new ArrayBuffer(4)).fill('a');
    const shared = Buffer.from(new ArrayBuffer(8)).fill('b').subarray(2, 5);
    const chunks = new BodyChunks();
    chunks.add(alone);
    chunks.add(shared);
    expect(chunks.size).toBe(7);
    expect(chunks.join().toString()).toBe('aaaabbb');
    expect(alone.buffer.byteLength).toBe(0);
    expect(shared.toString()).toBe('bbb');
  });

  it('frees chunks that were not joined when it is disposed', () => {
    const chunk = Buffer.from(new ArrayBuffer(4));
    {
      using chunks = new BodyChunks();
      chunks.add(chunk);
    }
    expect(chunk.buffer.byteLength).toBe(0);
  });
});
