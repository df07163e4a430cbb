import { describe, expect, it } from '@jest/globals';
import { groupFlushes } from './group-flushes.ts';

describe('groupFlushes', () => {
  it('lets everyone who asks during a flush share the next one', async () => {
    const ends: (() => void)[] = [];
    const flush = groupFlushes(() => new Promise((resolve) => ends.push(resolve)));
    const first = flush();
    const [second, third] = [flush(), flush()];
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await first;
    await Promise.resolve();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await Promise.all([second, third]);
    expect(ends).toHaveLength(2);
  });

  it('begins no second flush for a caller who asks as one ends, while others wait for the next', async () => {
    let running = 0;
    let most = 0;
    const flush = groupFlushes(async () => {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    const flushTwice = async () => {
      await flush();
      await flush();
    };
    await Promise.all([flushTwice(), flush()]);
    expect(most).toBe(1);
  });

  it('fails only those whose flush failed', async () => {
    let count = 0;
    const flush = groupFlushes(async () => {
      count++;
      if (count === 1) throw new Error('disk full');
    });
    const [first, second] = await Promise.allSettled([flush(), flush()]);
    expect(first.status).toBe('rejected');
    expect(second.status).toBe('fulfilled');
  });
});
