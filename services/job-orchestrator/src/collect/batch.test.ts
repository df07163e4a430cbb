import { describe, expect, it } from '@jest/globals';
import { Batch } from './batch.ts';

const RULES = { maxItems: 10, paceMs: 0, isPressing: () => false };

describe('a batch', () => {
  it('takes what has come together, and what comes meanwhile as the next one', async () => {
    const handled: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const batch = new Batch<string>(async (items) => {
      handled.push([...items]);
      if (handled.length === 1) await gate.promise;
    }, RULES);
    const first = [batch.add('a'), batch.add('b')];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const second = [batch.add('c'), batch.add('d')];
    expect(handled).toEqual([['a', 'b']]);
    gate.resolve();
    await Promise.all([...first, ...second]);
    expect(handled).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('is never larger than it may be', async () => {
    const sizes: number[] = [];
    const batch = new Batch<number>(async (items) => void sizes.push(items.length), {
      ...RULES,
      maxItems: 3,
    });
    await Promise.all(Array.from({ length: 7 }, (_, index) => batch.add(index)));
    expect(sizes).toEqual([3, 3, 1]);
  });

  it('lets more come together when the one before has only just begun', async () => {
    const handled: number[][] = [];
    const batch = new Batch<number>(async (items) => void handled.push([...items]), {
      ...RULES,
      paceMs: 60_000,
    });
    await batch.add(1);
    const rest = Array.from({ length: 10 }, (_, index) => batch.add(index + 2));
    await Promise.all(rest);
    expect(handled.map(({ length }) => length)).toEqual([1, 10]);
  });

  it('waits for nothing more once something pressing has come', async () => {
    const handled: string[][] = [];
    const batch = new Batch<string>(async (items) => void handled.push([...items]), {
      ...RULES,
      paceMs: 60_000,
      isPressing: (item) => item === 'pressing',
    });
    await batch.add('a');
    const patient = batch.add('b');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all([patient, batch.add('pressing')]);
    expect(handled).toEqual([['a'], ['b', 'pressing']]);
  });

  it('tells each of its items what went wrong, and goes on', async () => {
    let isBroken = true;
    const batch = new Batch<number>(async () => {
      if (isBroken) throw new Error('The database is away.');
    }, RULES);
    const faults = await Promise.allSettled([batch.add(1), batch.add(2)]);
    expect(faults.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    await expect(batch.add(3)).resolves.toBeUndefined();
  });
});
