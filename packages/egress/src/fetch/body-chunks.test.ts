import { describe, expect, it } from '@jest/globals';
import { BodyChunks } from './body-chunks.ts';

describe('BodyChunks', () => {
  it('joins what it took, and frees the memory that chunks have to themselves', () => {
    const alone = Buffer.from(new ArrayBuffer(4)).fill('a');
    const shared = Buffer.from(new ArrayBuffer(8)).fill('b').subarray(2, 5);
    const chunks = new BodyChunks();
    chunks.take(alone);
    chunks.take(shared);
    expect(chunks.size).toBe(7);
    expect(chunks.join().toString()).toBe('aaaabbb');
    expect(alone.buffer.byteLength).toBe(0);
    expect(shared.toString()).toBe('bbb');
  });

  it('frees what is not joined when it is disposed of', () => {
    const chunk = Buffer.from(new ArrayBuffer(4));
    {
      using chunks = new BodyChunks();
      chunks.take(chunk);
    }
    expect(chunk.buffer.byteLength).toBe(0);
  });
});
