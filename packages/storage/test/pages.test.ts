import { AppError, createId, type PageKind, toFailure } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, pageIdOf, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { LATER, NOW, storeJob } from './store-job.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('pages on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;
  useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

  it('leaves existing pages unchanged when they are stored again', async () => {
    const id = await storeJob(stores);
    await stores.pages.claim([pageIdOf(id, 1)], LATER);
    const urls = [0, 1, 2, 3].map((index) => ({ index, url: 'http://other/', host: 'other' }));
    await stores.pages.insertPages(id, urls, LATER);
    const pages = await stores.pages.findPages([0, 1, 2, 3].map((index) => pageIdOf(id, index)));
    expect(pages.map(({ index, url, state }) => [index, url, state]).toSorted()).toEqual([
      [0, 'http://a/0', 'waiting'],
      [1, 'http://a/1', 'running'],
      [2, 'http://a/2', 'waiting'],
      [3, 'http://other/', 'waiting'],
    ]);
  });

  it('claims a page once, and ends it once, only with the claimed attempt', async () => {
    const id = await storeJob(stores, 1);
    const pageId = pageIdOf(id, 0);
    const claims = await Promise.all([1, 2, 3].map(() => stores.pages.claim([pageId], LATER)));
    expect(claims.toSorted()).toEqual([0, 0, 1]);
    const end = (attempt: number) =>
      stores.pages.end([{ id: pageId, attempt, state: 'succeeded', price: { base: 1 } }], NOW);
    expect(await end(2)).toBe(0);
    expect(await end(1)).toBe(1);
    expect(await end(1)).toBe(0);
    await stores.pages.cancelSome(id, 100, NOW);
    expect(await stores.pages.countPages(id)).toMatchObject({ succeeded: 1, cancelled: 0 });
  });

  it('reports unfinished pages of a job until the last one has finished', async () => {
    const id = await storeJob(stores, 2);
    const [first, last] = [pageIdOf(id, 0), pageIdOf(id, 1)];
    const end = (pageId: string, at: Date) =>
      stores.pages.end([{ id: pageId, attempt: 1, state: 'succeeded', price: { base: 1 } }], at);
    await stores.pages.claim([first], LATER);
    await end(first, NOW);
    expect(await stores.pages.hasUnfinished(id)).toBe(true);
    await stores.pages.claim([last], LATER);
    expect(await stores.pages.hasUnfinished(id)).toBe(true);
    await end(last, LATER);
    expect(await stores.pages.hasUnfinished(id)).toBe(false);
    expect(await stores.pages.countPages(id)).toMatchObject({ succeeded: 2 });
    const alike = { state: 'succeeded', pages: 1, copies: 0 };
    const { rows } = await stores.pages.tallyPages(id, { afterId: '', limit: 10, before: LATER });
    expect(rows).toEqual([
      { ...alike, isRecent: false },
      { ...alike, isRecent: true },
    ]);
  });

  it('changes, counts and deletes no more pages at once than it is asked to, until none is left', async () => {
    const id = await storeJob(stores, 5);
    const deps = { failure: toFailure(new AppError('NOT_FOUND')), at: NOW };
    expect(await stores.pages.failSome(id, 2, deps)).toBe(2);
    expect(await stores.pages.countPages(id)).toMatchObject({ failed: 2, waiting: 3 });
    expect(await stores.pages.cancelSome(id, 2, NOW)).toBe(2);
    expect(await stores.pages.skipSome(id, 2, { skip: 'limit', at: NOW })).toEqual({ found: 1, skipped: 1 });
    expect(await stores.pages.skipSome(id, 2, { skip: 'limit', at: NOW })).toEqual({ found: 0, skipped: 0 });
    const first = await stores.pages.tallyPages(id, { afterId: '', limit: 3, before: LATER });
    expect(first).toMatchObject({ lastId: pageIdOf(id, 2) });
    expect(first.rows.reduce((sum, { pages }) => sum + pages, 0)).toBe(3);
    const rest = await stores.pages.tallyPages(id, { afterId: pageIdOf(id, 4), limit: 3, before: LATER });
    expect(rest).toEqual({ rows: [] });
    const deleted = [];
    for (let round = 0; round < 4; round++) deleted.push(await stores.pages.deleteSome(id, 2));
    expect(deleted).toEqual([2, 2, 1, 0]);
  });

  it('returns waiting pages in the order of the URLs, without delayed pages and excluded hosts', async () => {
    const id = await storeJob(stores, 4);
    await stores.pages.claim([pageIdOf(id, 0)], LATER);
    const retry = { attempt: 1, state: 'waiting', notBefore: LATER, because: 'failures' } as const;
    await stores.pages.end([{ id: pageIdOf(id, 0), ...retry }], NOW);
    const find = (exceptHosts: string[]) =>
      stores.pages.findWaiting([id], { limit: 2, dueBy: NOW, exceptHosts });
    expect((await find([])).map(({ index }) => index)).toEqual([1, 2]);
    expect(await find(['a'])).toEqual([]);
    expect(await stores.pages.findWaiting([id], { limit: 1, dueBy: LATER, exceptHosts: [] })).toMatchObject([
      { index: 0, attempt: 1, failures: 1 },
    ]);
  });

  it('returns waiting pages of several jobs, job by job', async () => {
    const ids = [await storeJob(stores, 2), await storeJob(stores, 3)].sort();
    const pages = await stores.pages.findWaiting(ids, { limit: 10, dueBy: NOW, exceptHosts: [] });
    expect(pages.map(({ jobId }) => jobId)).toEqual(
      pages.map(({ jobId }) => jobId).toSorted((a, b) => a.localeCompare(b)),
    );
    expect(new Set(pages.map(({ id }) => id)).size).toBe(5);
  });

  it('resets the losses of a page when a worker answers for it', async () => {
    const id = pageIdOf(await storeJob(stores), 0);
    const lose = (attempt: number, because: 'losses' | 'failures') =>
      stores.pages.end([{ id, attempt, state: 'waiting', notBefore: NOW, because }], NOW);
    for (const attempt of [1, 2]) {
      await stores.pages.claim([id], LATER);
      await lose(attempt, 'losses');
    }
    expect(await stores.pages.findPages([id])).toMatchObject([{ losses: 2, failures: 0 }]);
    await stores.pages.claim([id], LATER);
    await lose(3, 'failures');
    expect(await stores.pages.findPages([id])).toMatchObject([{ losses: 0, failures: 1 }]);
  });

  it('reads pages of any states in order, from any place', async () => {
    const jobId = createId('job');
    const indexes = Array.from({ length: 12 }, (_, index) => index);
    await stores.pages.insertPages(
      jobId,
      indexes.map((index) => ({ index, url: `http://a.test/${index}`, host: 'a.test' })),
      LATER,
    );
    const key = 'http://a.test/robots.txt';
    const robots = { key, depth: -1, purpose: 'robots' } as const;
    await stores.pages.insertCrawlFiles(jobId, [{ url: key, host: 'a.test', crawled: robots }], LATER);
    const states = ['succeeded', 'cancelled', 'failed', 'waiting'] as const;
    for (const index of indexes) {
      const state = states[index % states.length];
      await database.models.pages.updateOne({ _id: pageIdOf(jobId, index) }, { state });
    }
    const read = async (
      wanted: readonly (typeof states)[number][],
      more: { skip?: number; afterId?: string },
    ) =>
      (await stores.pages.findInOrder(jobId, { states: wanted, limit: 3, ...more })).map(
        ({ index }) => index,
      );
    expect(await read(['succeeded', 'failed'], {})).toEqual([0, 2, 4]);
    expect(await read(['succeeded', 'failed'], { skip: 4 })).toEqual([8, 10]);
    expect(await read(['waiting', 'succeeded'], { afterId: pageIdOf(jobId, 3) })).toEqual([4, 7, 8]);
    expect(await read(['failed'], { afterId: pageIdOf(jobId, 10) })).toEqual([]);
  });

  it('reads pages of any kinds in order, from any place, by an index of them alone', async () => {
    const jobId = await storeJob(stores, 60);
    const kinds = { 7: 'login', 20: 'wall', 21: 'login', 50: 'login' } as const;
    const ends = Array.from({ length: 59 }, (_, index) => ({
      id: pageIdOf(jobId, index),
      attempt: 1,
      state: 'succeeded' as const,
      price: { base: 1 },
      ...(index > 0 && { verdict: kinds[index as keyof typeof kinds] ?? ('content' as const) }),
    }));
    await stores.pages.claim(
      ends.map(({ id }) => id),
      LATER,
    );
    await stores.pages.end(ends, NOW);
    const read = async (
      verdicts: readonly PageKind[],
      more: { skip?: number; afterId?: string; states?: readonly ('succeeded' | 'failed')[] } = {},
    ) => {
      const part = { states: ['succeeded', 'failed'] as const, verdicts, limit: 3, ...more };
      return (await stores.pages.findInOrder(jobId, part)).map(({ index }) => index);
    };
    expect(await read(['wall', 'login'])).toEqual([7, 20, 21]);
    expect(await read(['wall', 'login'], { skip: 2 })).toEqual([21, 50]);
    expect(await read(['login'], { afterId: pageIdOf(jobId, 21) })).toEqual([50]);
    expect(await read(['content'])).toEqual([1, 2, 3]);
    expect(await read(['login'], { states: ['failed'] })).toEqual([]);
    const { executionStats } = await database.models.pages.collection
      .find({ jobId, verdict: 'login', index: { $gt: -1 } }, { projection: { _id: 0, index: 1 } })
      .sort({ index: 1 })
      .explain('executionStats');
    expect(executionStats).toMatchObject({ nReturned: 3, totalKeysExamined: 3 });
  });
});
