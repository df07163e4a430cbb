import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Batch, Batches } from './batch.ts';

const RULES = { maxItems: 10, maxBytes: 1000, bytesOf: () => 1, patienceMsOf: () => 0 };

describe('a batch', () => {
  it('handles what came together, and what came during that as the next batch', async () => {
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

  it('never exceeds its number of items', async () => {
    const sizes: number[] = [];
    const batch = new Batch<number>(async (items) => void sizes.push(items.length), {
      ...RULES,
      maxItems: 3,
    });
    await Promise.all(Array.from({ length: 7 }, (_, index) => batch.add(index)));
    expect(sizes).toEqual([3, 3, 1]);
  });

  it('never exceeds its number of bytes, except with one item alone', async () => {
    const handled: number[][] = [];
    const batch = new Batch<number>(async (items) => void handled.push([...items]), {
      ...RULES,
      maxBytes: 10,
      bytesOf: (bytes) => bytes,
    });
    await Promise.all([4, 6, 1, 30, 2, 9].map((bytes) => batch.add(bytes)));
    expect(handled).toEqual([[4, 6], [1], [30], [2], [9]]);
  });

  it('waits for more items when the batch before has just started', async () => {
    const handled: number[][] = [];
    const batch = new Batch<number>(async (items) => void handled.push([...items]), {
      ...RULES,
      patienceMsOf: () => 60_000,
    });
    await batch.add(1);
    const rest = Array.from({ length: 10 }, (_, index) => batch.add(index + 2));
    await Promise.all(rest);
    expect(handled.map(({ length }) => length)).toEqual([1, 10]);
  });

  it('starts at the time of its least patient item', async () => {
    const handled: string[][] = [];
    const batch = new Batch<string>(async (items) => void handled.push([...items]), {
      ...RULES,
      patienceMsOf: (item) => ({ a: 60_000, b: 60_000, c: 50 })[item] ?? 0,
    });
    await batch.add('a');
    const patient = batch.add('b');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all([patient, batch.add('c')]);
    expect(handled).toEqual([['a'], ['b', 'c']]);
    await Promise.all([batch.add('b'), batch.add('pressing')]);
    expect(handled[2]).toEqual(['b', 'pressing']);
  });

  it('fails all its items at once in an outage, and goes on', async () => {
    let calls = 0;
    let isBroken = true;
    const batch = new Batch<number>(async () => {
      calls += 1;
      if (isBroken) throw new AppError('SERVICE_UNAVAILABLE', { message: 'The database is away.' });
    }, RULES);
    const results = await Promise.allSettled([batch.add(1), batch.add(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toBe(1);
    isBroken = false;
    await expect(batch.add(3)).resolves.toBeUndefined();
  });

  it('fails only the item that its handler cannot digest', async () => {
    const batch = new Batch<string>(async (items) => {
      if (items.includes('poison')) throw new Error('This item cannot be stored.');
    }, RULES);
    const results = await Promise.allSettled(['a', 'poison', 'b'].map((item) => batch.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

it('batches of one key wait for no other key', async () => {
  const gate = Promise.withResolvers<void>();
  const handled: string[] = [];
  const batches = new Batches<string>(async ([item = '']) => {
    if (item === 'slow') await gate.promise;
    handled.push(item);
  }, RULES);
  const slow = batches.add('a', 'slow');
  await batches.add('b', 'quick');
  const next = batches.add('a', 'next');
  expect(handled).toEqual(['quick']);
  gate.resolve();
  await Promise.all([slow, next]);
  expect(handled).toEqual(['quick', 'slow', 'next']);
});
