import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, pageIdOf, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { LATER, NOW, newCrawl, newJob, storeJob } from './store-job.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('jobs on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;
  useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

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
    const id = await storeJob(stores);
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
    const draft = newJob({ crawl: newCrawl({ started: 1, fetched: 1 }) });
    await stores.jobs.insertDraft(draft);
    await stores.jobs.publishDrafts([draft.id]);
    const warning = { code: 'FRONTIER_FULL' as const, message: 'Late.' };
    await stores.jobs.warnOfCrawl(draft.id, warning);
    const event = { id: createId('evt'), type: 'job.completed' as const, at: NOW };
    const change = { from: ['pending' as const], to: 'completed' as const, event };
    const finished = await stores.jobs.transition(draft.id, { ...change, set: { crawl: { fetched: 2 } } });
    expect(finished?.crawl).toMatchObject({ fetched: 2, hosts: ['a'], warnings: [warning] });
  });

  it('keeps the started pages of a crawl an integer when none of those that ended counts back', async () => {
    const draft = newJob({ crawlJson: '{}', crawl: newCrawl({ started: 1 }) });
    await stores.jobs.insertDraft(draft);
    await stores.jobs.publishDrafts([draft.id]);
    await stores.jobs.countEnded(
      draft.id,
      { completedUrls: 1, failedUrls: 0, creditsUsed: 1 },
      {
        admitted: 0,
        fetched: 1,
        visited: 0,
        missing: 0,
        unstarted: 0,
        depth: 0,
        skipped: new Map(),
        dropped: new Map(),
      },
    );
    const { collection } = database.models.jobs;
    const stored = await collection.findOne({ _id: draft.id as never }, { promoteValues: false });
    expect(stored?.crawl.started).toMatchObject({ _bsontype: 'Int32', value: 1 });
  });

  it('raises counters to the result of a recount, and never lowers them', async () => {
    const id = await storeJob(stores);
    await stores.jobs.countEnded(id, { completedUrls: 2, failedUrls: 0, creditsUsed: 2 });
    await stores.jobs.raiseCounters(id, { completedUrls: 1, failedUrls: 1, creditsUsed: 3 }, NOW);
    const [job] = await stores.jobs.findJobs([id]);
    expect(job).toMatchObject({ completedUrls: 2, failedUrls: 1, creditsUsed: 3, recountedAt: NOW });
  });

  it('finds the oldest active jobs of every account, however many another account has', async () => {
    const many = { accountId: createId('acc') };
    const few = { accountId: createId('acc') };
    const ofMany: string[] = [];
    for (let count = 0; count < 5; count++) ofMany.push(await storeJob(stores, 1, many));
    const ofFew = await storeJob(stores, 1, few);
    const found = await stores.jobs.findActiveIds(3);
    expect(found.find((ids) => ids.includes(ofFew))).toEqual([ofFew]);
    expect(found.find((ids) => ids.includes(ofMany[0] ?? ''))).toEqual(ofMany.sort().slice(0, 3));
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
});
