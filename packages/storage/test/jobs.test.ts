import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { AppError, createId, DROP_REASONS, SKIP_REASONS, toFailure } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, pageIdOf, readResults, type Stores } from '../src/index.ts';
import { createLeaseStore } from '../src/leases/lease-store.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const LATER = new Date(Date.now() + 3_600_000);
const NOW = new Date();

describe.each(BACKENDS)('jobs and pages on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;
  useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

  function newJob(more: object = {}) {
    const fields = { accountId: 'acc_1', keyId: null, name: 'A job', totalUrls: 3, optionsJson: '{}' };
    return { id: createId('job'), ...fields, createdAt: NOW, ...more };
  }

  async function storeJob(pages = 3, fields: { accountId?: string } = {}): Promise<string> {
    const { job } = await stores.jobs.insertDraft({ ...newJob(), ...fields });
    const urls = Array.from({ length: pages }, (_, index) => ({
      index,
      url: `http://a/${index}`,
      host: 'a',
    }));
    await stores.pages.insertPages(job.id, urls, LATER);
    await stores.jobs.publishDrafts([job.id]);
    return job.id;
  }

  it('hides a draft until it is published, and publishes it once', async () => {
    const draft = newJob();
    expect(await stores.jobs.insertDraft(draft)).toMatchObject({ isDraft: true });
    expect(await stores.jobs.findJob('acc_1', draft.id)).toBeNull();
    expect(await stores.jobs.publishDrafts([draft.id])).toMatchObject([{ id: draft.id, status: 'pending' }]);
    expect(await stores.jobs.publishDrafts([draft.id])).toMatchObject([{ status: 'pending' }]);
    expect(await stores.jobs.insertDraft(draft)).toMatchObject({ isDraft: false, job: { id: draft.id } });
    expect(await stores.jobs.findJob('acc_2', draft.id)).toBeNull();
  });

  it('finds jobs by the beginnings of words of their names and hosts, through an index', async () => {
    const jobs = [
      newJob({ name: 'Books of the week', hosts: ['www.books.example:8080', 'shop.example'] }),
      newJob({ name: 'Préçis (draft-2)', hosts: ['10.0.0.7'] }),
      newJob({ name: 'Untitled job', hosts: [] }),
      newJob({ name: 'Books', accountId: 'acc_2', hosts: ['books.example'] }),
    ];
    const { insertDrafts, publishDrafts, listJobs } = stores.jobs;
    await insertDrafts(jobs);
    await publishDrafts(jobs.map(({ id }) => id));
    const found = async (search: string) => {
      const page = await listJobs('acc_1', { search, limit: 10, offset: 0 });
      expect(page.total).toBe(page.jobs.length);
      return page.jobs.map(({ name }) => name);
    };
    for (const search of ['book', 'WEEK books', 'books.exa', 'shop', 'https://shop.example/a?b', 'www'])
      expect([search, await found(search)]).toEqual([search, ['Books of the week']]);
    for (const search of ['PRÉ', 'draft', '2', '(draft-2)', '10.0'])
      expect([search, await found(search)]).toEqual([search, ['Préçis (draft-2)']]);
    for (const search of ['ooks', 'book nothing', '.', '.*', '^', '[', 'example:8080', '//'])
      expect([search, await found(search)]).toEqual([search, []]);
    expect(await found('untitled')).toEqual(['Untitled job']);
  });

  it('creates one job for concurrent creates with one idempotency key', async () => {
    const idempotency = { key: 'once', requestHash: 'h' };
    const drafts = await Promise.all(
      [1, 2, 3, 4].map(() => stores.jobs.insertDraft(newJob({ idempotency }))),
    );
    expect(new Set(drafts.map(({ job }) => job.id)).size).toBe(1);
    const other = await stores.jobs.insertDraft(newJob({ accountId: 'acc_2', idempotency }));
    expect(other.job.id).not.toBe(drafts[0]?.job.id);
  });

  it('applies a transition once, and only from the given states', async () => {
    const id = await storeJob();
    const event = () => ({ id: createId('evt'), type: 'job.cancelled' as const, at: NOW });
    const cancel = () =>
      stores.jobs.transition(id, { from: ['pending'], to: 'cancelled', set: {}, event: event() });
    const changed = await Promise.all([cancel(), cancel(), cancel()]);
    expect(changed.filter((job) => job !== null)).toHaveLength(1);
    const [job] = await stores.jobs.findJobs([id]);
    expect(job).toMatchObject({ status: 'cancelled', events: [{ type: 'job.cancelled' }] });
    expect(await stores.jobs.countEnded(id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 })).toBeNull();
  });

  it('leaves the fields of a crawl that a transition does not set', async () => {
    const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
    const draft = newJob({
      crawl: {
        ...{ places: ['a'], hosts: ['a'], nextIndex: 1, started: 1, fetched: 1, missing: 0, depth: 0 },
        ...{ skipped: zeros(SKIP_REASONS), dropped: zeros(DROP_REASONS), warnings: [] },
      },
    });
    await stores.jobs.insertDraft(draft);
    await stores.jobs.publishDrafts([draft.id]);
    const warning = { code: 'FRONTIER_FULL' as const, message: 'Late.' };
    await stores.jobs.warnOfCrawl(draft.id, warning);
    const event = { id: createId('evt'), type: 'job.completed' as const, at: NOW };
    const change = { from: ['pending' as const], to: 'completed' as const, event };
    const finished = await stores.jobs.transition(draft.id, { ...change, set: { crawl: { fetched: 2 } } });
    expect(finished?.crawl).toMatchObject({ fetched: 2, hosts: ['a'], warnings: [warning] });
  });

  it('leaves existing pages unchanged when they are stored again', async () => {
    const id = await storeJob();
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
    const id = await storeJob(1);
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
    const id = await storeJob(2);
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
    const id = await storeJob(5);
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

  it('raises counters to the result of a recount, and never lowers them', async () => {
    const id = await storeJob();
    await stores.jobs.countEnded(id, { completedUrls: 2, failedUrls: 0, creditsUsed: 2 });
    await stores.jobs.raiseCounters(id, { completedUrls: 1, failedUrls: 1, creditsUsed: 3 }, NOW);
    const [job] = await stores.jobs.findJobs([id]);
    expect(job).toMatchObject({ completedUrls: 2, failedUrls: 1, creditsUsed: 3, recountedAt: NOW });
  });

  it('returns waiting pages in the order of the URLs, without delayed pages and excluded hosts', async () => {
    const id = await storeJob(4);
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
    const ids = [await storeJob(2), await storeJob(3)].sort();
    const pages = await stores.pages.findWaiting(ids, { limit: 10, dueBy: NOW, exceptHosts: [] });
    expect(pages.map(({ jobId }) => jobId)).toEqual(
      pages.map(({ jobId }) => jobId).toSorted((a, b) => a.localeCompare(b)),
    );
    expect(new Set(pages.map(({ id }) => id)).size).toBe(5);
  });

  it('finds the oldest active jobs of every account, however many another account has', async () => {
    const many = { accountId: createId('acc') };
    const few = { accountId: createId('acc') };
    const ofMany: string[] = [];
    for (let count = 0; count < 5; count++) ofMany.push(await storeJob(1, many));
    const ofFew = await storeJob(1, few);
    const found = await stores.jobs.findActiveIds(3);
    expect(found.find((ids) => ids.includes(ofFew))).toEqual([ofFew]);
    expect(found.find((ids) => ids.includes(ofMany[0] ?? ''))).toEqual(ofMany.sort().slice(0, 3));
  });

  it('resets the losses of a page when a worker answers for it', async () => {
    const id = pageIdOf(await storeJob(), 0);
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

  it('stores and reads results by attempt', async () => {
    const id = pageIdOf(createId('job'), 0);
    await stores.results.insertResults([{ id, attempt: 1, json: '"late"' }], LATER);
    await stores.results.insertResults(
      [
        { id, attempt: 1, json: '"other"' },
        { id, attempt: 2, json: '"right"' },
      ],
      LATER,
    );
    expect(await stores.results.findResults([{ id, attempt: 2 }])).toEqual(new Map([[id, '"right"']]));
    expect(await stores.results.findResults([{ id, attempt: 1 }])).toEqual(new Map([[id, '"late"']]));
  });

  async function piecesOf(
    id: string,
    page: Parameters<typeof readResults>[1],
  ): Promise<(readonly string[])[]> {
    const pieces: (readonly string[])[] = [];
    for await (const piece of readResults({ id }, page, stores)) pieces.push(piece);
    return pieces;
  }

  it('yields results in the order of pages, large ones singly, with an error for each failed or missing one', async () => {
    const id = await storeJob(7);
    const attempts = [0, 1, 2, 3, 4, 5, 6].map((index) => ({ id: pageIdOf(id, index), attempt: 1 }));
    await stores.pages.claim(
      attempts.map((attempt) => attempt.id),
      LATER,
    );
    const failure = toFailure(new AppError('NOT_FOUND'));
    const ends = attempts.map((attempt, index) =>
      index === 2
        ? { ...attempt, state: 'failed' as const, failure }
        : { ...attempt, state: 'succeeded' as const, price: { base: 1 } },
    );
    await stores.pages.end(ends, NOW);
    // The last page but one has no result, and the largest result exceeds the size of a piece.
    const sizes = [10, 600_000, 0, 600_000, 3_000_000, 0, 20];
    const kept = attempts.flatMap((attempt, index) =>
      sizes[index] ? [{ ...attempt, json: JSON.stringify('x'.repeat(sizes[index])) }] : [],
    );
    await stores.results.insertResults(kept.toReversed(), LATER);
    const pieces = await piecesOf(id, { limit: 100, offset: 0 });
    expect(pieces.map((piece) => piece.length)).toEqual([4, 1, 2]);
    expect(
      pieces.flat().map((text) => (text.startsWith('{') ? JSON.parse(text).error.code : text.length - 2)),
    ).toEqual([...[10, 600_000, 'NOT_FOUND', 600_000], ...[3_000_000, 'INTERNAL_ERROR', 20]]);
    const [[first] = []] = await piecesOf(id, { limit: 1, offset: 6 });
    expect(first).toHaveLength(22);
  });

  describe('with the same URL several times', () => {
    /** Stores a job of the URLs a, b, a, c, b, a: its pages 2, 4 and 5 are copies. */
    async function storeWithCopies(): Promise<string> {
      const { job } = await stores.jobs.insertDraft({ ...newJob(), totalUrls: 6, distinctUrls: 3 });
      const pages = [
        { url: 'http://a/', copies: 2 },
        { url: 'http://b/', copies: 1 },
        { url: 'http://a/#x', copyOf: 0 },
        { url: 'http://c/' },
        { url: 'http://b', copyOf: 1 },
        { url: 'http://a/', copyOf: 0 },
      ].map((page, index) => ({ index, host: 'a', ...page }));
      await stores.pages.insertPages(job.id, pages, LATER);
      await stores.jobs.publishDrafts([job.id]);
      return job.id;
    }

    async function succeed(id: string, index: number, data: string): Promise<void> {
      const attempt = { id: pageIdOf(id, index), attempt: 1 };
      await stores.pages.claim([attempt.id], LATER);
      const url = ['http://a/', 'http://b/', '', 'http://c/'][index];
      await stores.results.insertResults([{ ...attempt, json: JSON.stringify({ url, data }) }], LATER);
      await stores.pages.end([{ ...attempt, state: 'succeeded', price: { base: 1 } }], NOW);
    }

    async function shown(id: string, offset = 0, limit = 100): Promise<unknown[]> {
      const texts: string[] = [];
      const part = { offset, limit };
      for await (const piece of readResults({ id, distinctUrls: 3 }, part, stores)) texts.push(...piece);
      return texts.map((text) => {
        const { url, duplicateOf, data, error } = JSON.parse(text);
        return [url, duplicateOf, data ?? error.code];
      });
    }

    it('works on no copy, and counts the copies of finished pages', async () => {
      const id = await storeWithCopies();
      const waiting = await stores.pages.findWaiting([id], { limit: 10, dueBy: LATER, exceptHosts: [] });
      expect(waiting.map(({ index }) => index)).toEqual([0, 1, 3]);
      expect(await stores.pages.claim([pageIdOf(id, 2)], LATER)).toBe(0);
      await succeed(id, 0, 'A');
      await stores.pages.failSome(id, 100, { failure: toFailure(new AppError('NOT_FOUND')), at: LATER });
      expect(await stores.pages.hasUnfinished(id)).toBe(false);
      expect(await stores.pages.countPages(id)).toMatchObject({ succeeded: 1, failed: 2 });
      const { rows } = await stores.pages.tallyPages(id, { afterId: '', limit: 100, before: LATER });
      expect(rows).toEqual(
        expect.arrayContaining([
          { state: 'succeeded', isRecent: false, pages: 1, copies: 2 },
          { state: 'failed', isRecent: true, pages: 2, copies: 1 },
        ]),
      );
      const ids = [0, 1, 2, 3].map((index) => pageIdOf(id, index));
      expect([...(await stores.pages.findCopies(ids))].toSorted()).toEqual([
        [ids[0], 2],
        [ids[1], 1],
      ]);
    });

    it('shows the result of a page for each of its entries, in order, as soon as it has finished', async () => {
      const id = await storeWithCopies();
      expect(await shown(id)).toEqual([]);
      await succeed(id, 1, 'B');
      expect(await shown(id)).toEqual([
        ['http://b/', undefined, 'B'],
        ['http://b', 1, 'B'],
      ]);
      await succeed(id, 0, 'A');
      await stores.pages.cancelSome(id, 100, NOW);
      expect(await shown(id)).toEqual([
        ['http://a/', undefined, 'A'],
        ['http://b/', undefined, 'B'],
        ['http://a/#x', 0, 'A'],
        ['http://b', 1, 'B'],
        ['http://a/', 0, 'A'],
      ]);
    });

    it('shows any part of the results, and errors as well', async () => {
      const id = await storeWithCopies();
      await succeed(id, 0, 'A');
      await stores.pages.failSome(id, 100, { failure: toFailure(new AppError('NOT_FOUND')), at: NOW });
      const all = await shown(id);
      expect(all).toEqual([
        ['http://a/', undefined, 'A'],
        ['http://b/', undefined, 'NOT_FOUND'],
        ['http://a/#x', 0, 'A'],
        ['http://c/', undefined, 'NOT_FOUND'],
        ['http://b', 1, 'NOT_FOUND'],
        ['http://a/', 0, 'A'],
      ]);
      for (const offset of [0, 1, 2, 3, 4, 5, 6]) {
        for (const limit of [0, 1, 3, 6]) {
          expect(await shown(id, offset, limit)).toEqual(all.slice(offset, offset + limit));
        }
      }
    });
  });

  it('stores and reads a screenshot in chunks, and deletes its record, file and chunks', async () => {
    const { screenshots, results } = stores;
    const jobId = createId('job');
    const attempt = { id: pageIdOf(jobId, 0), attempt: 1 };
    const png = randomBytes(2_500_000);
    const id = await screenshots.insertScreenshot({ ...attempt, jobId, png, checkAt: LATER });
    const other = await screenshots.insertScreenshot({
      ...attempt,
      jobId,
      png: Buffer.from('b'),
      checkAt: NOW,
    });
    await results.insertResults([{ ...attempt, json: '1', screenshotId: id }], LATER);
    await results.insertResults([{ ...attempt, json: '2', screenshotId: other }], LATER);
    expect(await results.findScreenshotId(attempt)).toBe(id);
    expect(await results.findScreenshotId({ ...attempt, attempt: 2 })).toBeNull();
    const stored = await screenshots.findScreenshot(id);
    expect(stored?.bytes).toBe(png.length);
    expect(stored && (await buffer(stored.open())).equals(png)).toBe(true);
    expect(await screenshots.findUnchecked(NOW, 10)).toMatchObject([{ id: other, jobId, attempt: 1 }]);
    await screenshots.checkLater(other, LATER);
    expect(await screenshots.findUnchecked(NOW, 10)).toEqual([]);
    for (const each of [id, id, other]) await screenshots.deleteScreenshot(each);
    expect(await screenshots.findScreenshot(id)).toBeNull();
    expect(await countIn('screenshots', 'screenshots.files', 'screenshots.chunks')).toEqual([0, 0, 0]);
  });

  it('finds and deletes an interrupted upload with its chunks', async () => {
    const jobId = createId('job');
    const attempt = { id: pageIdOf(jobId, 0), attempt: 1 };
    const png = randomBytes(1_500_000);
    const id = await stores.screenshots.insertScreenshot({ ...attempt, jobId, png, checkAt: NOW });
    const { db } = database.models.screenshots;
    // State after a crash before the last write.
    await db.collection('screenshots.files').deleteMany({});
    expect(await stores.screenshots.findScreenshot(id)).toBeNull();
    expect(await stores.screenshots.findUnchecked(NOW, 10)).toMatchObject([{ id }]);
    await stores.screenshots.deleteScreenshot(id);
    expect(await countIn('screenshots', 'screenshots.chunks')).toEqual([0, 0]);
  });

  function countIn(...names: string[]): Promise<number[]> {
    const { db } = database.models.screenshots;
    return Promise.all(names.map((name) => db.collection(name).countDocuments()));
  }

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
    await stores.pages.insertSupportPages(jobId, [{ url: key, host: 'a.test', crawled: robots }], LATER);
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

  it('confirms what an earlier attempt has stored, whose write concern may have timed out', async () => {
    const confirmed = async () => {
      const meta = database.models.jobs.db.collection<{ _id: string; count: number }>('meta');
      return (await meta.findOne({ _id: 'confirmed' }))?.count ?? 0;
    };
    const before = await confirmed();
    const job = newJob();
    const pages = [{ index: 0, url: 'http://a.test/', host: 'a.test' }];
    const store = async () => {
      await stores.jobs.insertDraft(job);
      await stores.pages.insertPages(job.id, pages, LATER);
      await stores.results.insertResults([{ id: pageIdOf(job.id, 0), attempt: 1, json: '{}' }], LATER);
    };
    await store();
    expect(await confirmed()).toBe(before);
    await store();
    expect(await confirmed()).toBe(before + 3);
  });

  it('asks the database for nothing where nothing is asked for', async () => {
    const { models, clock } = database;
    const silent = new Proxy(models, {
      get: (target, name: keyof typeof models) => ({
        collection: new Proxy(target[name].collection, {
          get: () => () => {
            throw new Error(`A query of ${name} was sent.`);
          },
        }),
      }),
    });
    const { jobs, pages, results, fingerprints, robots, accounts, snapshots } = createStores({
      models: silent,
      clock,
    });
    const bounds = { limit: 1, dueBy: NOW, exceptHosts: [], atMost: 1 };
    const answers = [
      ...[jobs.findJobs([]), jobs.findProgress([]), jobs.publishDrafts([]), jobs.confirmEvents('job_1', [])],
      ...[pages.findPages([]), pages.findCopies([]), pages.findUrls([]), pages.findKnown('job_1', [])],
      ...[pages.findByKeys('job_1', []), pages.findWaiting([], bounds), pages.findWaitingPlaces([], bounds)],
      ...[pages.claim([], NOW), pages.skip([], 'limit', NOW), pages.lowerDepths('job_1', [], 0)],
      ...[results.findResults([]), results.streamResults([]).next(), fingerprints.findFingerprints([])],
      ...[robots.find([], NOW), accounts.findAccounts([]), snapshots.findPagesOf('job_1', [], NOW)],
    ];
    for (const answer of answers) await answer;
  });

  it('grants a lease to one owner until it expires or is released', async () => {
    let now = new Date(0);
    const leases = createLeaseStore({ ...database, clock: { now: () => now, nowMs: () => now.getTime() } });
    const ask = (owner: string, nowMs: number) => {
      now = new Date(nowMs);
      return leases.acquire({ role: 'r', owner, leaseMs: 1000 });
    };
    expect(await ask('a', 0)).toBe(true);
    expect(await ask('b', 999)).toBe(false);
    expect(await ask('a', 999)).toBe(true);
    expect(await ask('b', 2000)).toBe(true);
    await leases.release('r', 'a');
    expect(await ask('a', 2001)).toBe(false);
    await leases.release('r', 'b');
    expect(await ask('a', 2002)).toBe(true);
  });

  it('charges each page once when they are settled repeatedly, and returns unused credits', async () => {
    const account = await stores.accounts.ensureAccount({ id: createId('acc'), name: 'Poor', balance: 100 });
    const jobId = createId('job');
    const hold = (index: number) => {
      const operationId = pageIdOf(jobId, index);
      return stores.credits.reserve({ account, operationId, credits: 5, now: NOW, expiresAt: LATER });
    };
    for (const index of [0, 1, 2]) await hold(index);
    const operations = [0, 1].map((index) => ({
      operationId: pageIdOf(jobId, index),
      ...{ accountId: account.id, credits: 5 },
      settlement: { keyId: null, operation: 'page', breakdown: { base: 1 }, at: NOW } as const,
    }));
    await stores.credits.settleAll(operations);
    await stores.credits.settleAll(operations);
    expect(await stores.credits.sumCharges(`${jobId}:`)).toEqual({ operations: 2, credits: 2 });
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 93, reserved: 5 });
    // A process that was paused reserves pages that were charged while it stood still.
    for (const index of [0, 1]) await hold(index);
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 83, reserved: 15 });
    await stores.credits.settleAll(operations.slice(0, 1));
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 88, reserved: 10 });
    await stores.credits.endReservations({ accountId: account.id, operationPrefix: `${jobId}:`, at: NOW });
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 98, reserved: 0 });
  });
});
