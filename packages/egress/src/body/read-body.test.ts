import { describe, expect, it } from '@jest/globals';
import { BodyChunks } from './read-body.ts';

describe('BodyChunks', () => {
  it('joins its chunks and frees memory that is not shared', async () => {
    const alone = Buffer.from(new ArrayBuffer(4)).fill('a');
    const shared = Buffer.from(new ArrayBuffer(8)).fill('b').subarray(2, 5);
    const chunks = new BodyChunks();
    chunks.add(alone);
    chunks.add(shared);
    expect(chunks.size).toBe(7);
    expect((await chunks.join()).toString()).toBe('aaaabbb');
    expect(alone.buffer.byteLength).toBe(0);
    expect(shared.toString()).toBe('bbb');
  });

  it('joins a large body in turns of the event loop', async () => {
    using chunks = new BodyChunks();
    for (let value = 0; value < 20; value++) chunks.add(Buffer.alloc(1024 * 1024, value));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const whole = await chunks.join();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    expect(whole).toHaveLength(20 * 1024 * 1024);
    expect([whole.at(0), whole.at(-1)]).toEqual([0, 19]);
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
