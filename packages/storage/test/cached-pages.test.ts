import type { ReusablePage } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CacheKeeper, createStores, type Stores } from '../src/index.ts';
import { BACKENDS, SILENT_LOGGER } from './backends.ts';
import { useBackend } from './use-backend.ts';

const HOUR_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

describe.each(BACKENDS)('pages that are kept for maxAge on $name', ({ start }) => {
  let stores: Stores;
  let accountId: string;
  let account = 0;
  const { connect } = useBackend(start, (connected) => {
    stores = createStores(connected);
  });
  beforeEach(() => {
    account += 1;
    accountId = `acc_${account}`;
  });

  const page = (key: string, parts: Partial<ReusablePage> = {}): ReusablePage => ({
    key: `${accountId} ${key}`,
    kind: 'html',
    baseUrl: 'http://a.example/',
    source: 'cGFnZQ==',
    ...parts,
  });
  const keeperOf = (at: { nowMs: number }, quotaBytes = MEBIBYTE, own = stores) =>
    new CacheKeeper({
      cachedPages: own.cachedPages,
      clock: { ...own.clock, now: () => new Date(at.nowMs), nowMs: () => at.nowMs },
      keeping: { retentionMs: HOUR_MS, quotaBytes },
      logger: SILENT_LOGGER,
    });
  const fetched = (kept: ReusablePage, fetchedAtMs: number) => ({
    accountId,
    page: kept,
    engine: 'browser' as const,
    timestamp: new Date(fetchedAtMs).toISOString(),
  });

  it('are found by their account alone, as they were stored, with their age', async () => {
    const at = { nowMs: Date.now() };
    const keeper = keeperOf(at);
    const { key, ...kept } = page('a', { encoding: 'koi8-r', hiddenMark: { name: 'm', value: 'v' } });
    await keeper.keep([fetched({ key, ...kept }, at.nowMs - 5000)]);
    const wanted = { accountId, keys: [key, 'other'], maxAgeMs: HOUR_MS };
    const readAt = new Date(at.nowMs - 5000).toISOString();
    expect([...(await keeper.find(wanted))]).toEqual([
      [key, { ...kept, statusCode: 200, engine: 'browser', readAt, age: 5000 }],
    ]);
    expect((await keeper.find({ ...wanted, accountId: 'acc_0' })).size).toBe(0);
  });

  it('are too old by the request, or because they expire', async () => {
    const at = { nowMs: Date.now() };
    const keeper = keeperOf(at);
    const { key } = page('a');
    await keeper.keep([fetched(page('a'), at.nowMs)]);
    const isFound = async (maxAgeMs: number) =>
      (await keeper.find({ accountId, keys: [key], maxAgeMs })).has(key);
    at.nowMs += 1000;
    expect([await isFound(999), await isFound(1000)]).toEqual([false, true]);
    at.nowMs += HOUR_MS;
    expect(await isFound(10 * HOUR_MS)).toBe(false);
  });

  it('are never of the future: not by the clock of a scraper, nor by a clock that is set back', async () => {
    const at = { nowMs: Date.now() };
    const keeper = keeperOf(at);
    const { key } = page('a');
    await keeper.keep([fetched(page('a'), at.nowMs + HOUR_MS)]);
    const find = async () => (await keeper.find({ accountId, keys: [key], maxAgeMs: HOUR_MS })).get(key);
    expect(await find()).toMatchObject({ age: 0, readAt: new Date(at.nowMs).toISOString() });
    at.nowMs -= 1000;
    expect(await find()).toMatchObject({ age: 0 });
    at.nowMs -= HOUR_MS;
    expect(await find()).toBeUndefined();
    await keeper.keep([fetched(page('a', { baseUrl: 'http://a.example/now' }), at.nowMs)]);
    expect(await find()).toMatchObject({ age: 0, baseUrl: 'http://a.example/now' });
  });

  it('replace earlier ones, also when two processes keep one at once', async () => {
    const at = { nowMs: Date.now() };
    const other = createStores(await connect());
    const keepers = [keeperOf(at), keeperOf(at, MEBIBYTE, other)];
    const { key } = page('a');
    await keepers[0]?.keep([fetched(page('a', { encoding: 'koi8-r' }), at.nowMs)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        keepers[index % 2]?.keep([fetched(page('a', { baseUrl: `http://a.example/${index}` }), at.nowMs)]),
      ),
    );
    const found = await keepers[0]?.find({ accountId, keys: [key], maxAgeMs: HOUR_MS });
    expect(found?.get(key)).toMatchObject({ baseUrl: expect.stringMatching(/\/\d+$/) });
    expect(found?.get(key)).not.toHaveProperty('encoding');
  });

  it('give way to newer ones of their account, the oldest first', async () => {
    const at = { nowMs: Date.now() };
    const keeper = keeperOf(at);
    const source = Buffer.alloc(300 * 1024).toString('base64');
    const mine = accountId;
    accountId = `${mine}_neighbor`;
    await keeper.keep([fetched(page('a', { source }), at.nowMs)]);
    const neighbor = { accountId, keys: [page('a').key], maxAgeMs: HOUR_MS };
    accountId = mine;
    const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => page(name).key);
    for (const key of keys) {
      at.nowMs += 1;
      await keeper.keep([fetched({ ...page('x', { source }), key }, at.nowMs)]);
    }
    const found = await keeper.find({ accountId, keys, maxAgeMs: HOUR_MS });
    expect([...found.keys()].sort()).toEqual(keys.slice(2));
    expect((await keeper.find(neighbor)).size).toBe(1);
  });

  it('are missing while the database is away, and nothing is thrown', async () => {
    const own = await connect();
    const keeper = keeperOf({ nowMs: Date.now() }, MEBIBYTE, createStores(own));
    await own.close();
    await keeper.keep([fetched(page('a'), Date.now())]);
    expect((await keeper.find({ accountId, keys: ['a'], maxAgeMs: HOUR_MS })).size).toBe(0);
  });
});
