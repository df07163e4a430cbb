import { AppError, createId, type PageKind, toFailure } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, pageIdOf, readResults, type Stores } from '../src/index.ts';
import { BACKENDS, type WatchedDatabase } from './backends.ts';
import { LATER, NOW, newCrawl, newJob, storeJob } from './store-job.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('results on $name', ({ start }) => {
  let stores: Stores;
  let watched: WatchedDatabase;
  useBackend(start, async (connected, backend) => {
    stores = createStores(connected);
    watched = await backend.connectWatched();
  });

  it('waits until a majority of servers has a result, and the claim and the end of its page', async () => {
    const { jobs, pages, results } = createStores(watched.database);
    const { job } = await stores.jobs.insertDraft(newJob({ crawl: newCrawl() }));
    const attempt = { id: pageIdOf(job.id, 0), attempt: 1 };
    await stores.pages.insertPages(job.id, [{ index: 0, url: 'http://a/', host: 'a' }], LATER);
    await stores.jobs.publishDrafts([job.id]);
    await jobs.reserveStarts(job.id, 1, { limit: 1, creditsPerPage: 1 });
    await pages.claim([attempt.id], LATER);
    await results.insertResults([{ ...attempt, json: '"a"' }], LATER);
    await pages.end([{ ...attempt, state: 'succeeded', price: { base: 1 } }], NOW);
    await jobs.stopCrawl(job.id, 'limit');
    const writes = watched.commands.flatMap(({ commandName, command }) =>
      'writeConcern' in command ? [[command[commandName], command.writeConcern.w]] : [],
    );
    expect(writes).toEqual([
      // A server that has the claim, which comes after it, has the start as well.
      ['jobs', 1],
      ['pages', 'majority'],
      ['results', 'majority'],
      ['pages', 'majority'],
      ['jobs', 'majority'],
    ]);
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
    const id = await storeJob(stores, 7);
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
      const verdict = data === 'B' ? 'login' : 'content';
      await stores.pages.end([{ ...attempt, state: 'succeeded', price: { base: 1 }, verdict }], NOW);
    }

    async function shown(
      id: string,
      offset = 0,
      limit = 100,
      verdicts?: readonly PageKind[],
    ): Promise<unknown[]> {
      const texts: string[] = [];
      const part = { offset, limit, verdicts };
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
          { state: 'succeeded', verdict: 'content', isRecent: false, pages: 1, copies: 2 },
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

    it('shows the results of pages of some kinds for each of their entries', async () => {
      const id = await storeWithCopies();
      await succeed(id, 0, 'A');
      await succeed(id, 1, 'B');
      await stores.pages.failSome(id, 100, { failure: toFailure(new AppError('NOT_FOUND')), at: NOW });
      const logins = [
        ['http://b/', undefined, 'B'],
        ['http://b', 1, 'B'],
      ];
      expect(await shown(id, 0, 100, ['login', 'wall'])).toEqual(logins);
      expect(await shown(id, 1, 100, ['login'])).toEqual(logins.slice(1));
      expect(await shown(id, 0, 100, ['content', 'login'])).toHaveLength(5);
      expect(await shown(id, 0, 100, ['empty'])).toEqual([]);
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
});
