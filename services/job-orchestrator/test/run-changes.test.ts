import { type Change, createId, defined, type PageKind } from '@gleaner/contracts';
import { pageIdOf, type StoredJob } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPARE_LIMITS, compareRun } from '../src/review/compare-run.ts';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling, type SitePage } from './scripted-site.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
/** Has no orchestrator, because that would finish the stored jobs. */
let still: TestBed;
let scraper: ScriptedScraper;

beforeAll(async () => {
  bed = await startTestBed();
  still = await startTestBed();
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await still[Symbol.asyncDispose]();
});

interface Product {
  readonly name: string;
  readonly price: number;
  readonly stock: string;
}

const product = (index: number): Product => ({
  name: `Book ${index}`,
  price: 10 + index,
  stock: 'in stock',
});

/** Returns pages of products, of which each leads to the next. */
function shop(products: readonly Product[]): Record<string, SitePage> {
  const pages: Record<string, SitePage> = {};
  for (let first = 0, number = 1; first < products.length; first += 11, number += 1) {
    const isLast = first + 11 >= products.length;
    pages[number === 1 ? '/' : `/${number}`] = {
      links: isLast ? [] : [`>/${number + 1}`],
      data: { products: products.slice(first, first + 11) },
    };
  }
  return pages;
}

const BEFORE = Array.from({ length: 42 }, (_, index) => product(index));
/** Two prices, one stock, one product less and one more: one moves from the third page to the fourth. */
const AFTER = BEFORE.map((each, index) => {
  if (index === 3 || index === 20) return { ...each, price: each.price - 1 };
  return index === 30 ? { ...each, stock: 'sold out' } : each;
})
  .toSpliced(5, 1)
  .toSpliced(12, 0, product(42))
  .toSpliced(25, 0, product(43));

async function changesOf(jobId: string): Promise<Change[]> {
  const texts = await bed.stores.changes.find(jobId, { offset: 0, limit: 1000 });
  return texts.map((text) => JSON.parse(text) as Change);
}

async function crawl(pages: Readonly<Record<string, SitePage>>, since?: string): Promise<string> {
  scraper.follow(crawling({ pages }));
  const rules = [{ match: '**', next: 'a.next' }];
  const options = { sitemap: 'skip' as const, rules, ...defined({ since }) };
  const { id } = await bed.create({ urls: ['http://a.test/'], selectors: { products: 'p' }, crawl: options });
  await bed.untilJob(id, 'completed');
  return id;
}

/** Stores a finished run of a schedule with the data and the kinds of its pages; null is a page that failed. */
async function store(
  scheduleId: string,
  data: readonly (object | null)[],
  options: object = {},
  kinds: readonly (PageKind | undefined)[] = [],
) {
  const { jobs, pages, results } = still.stores;
  const id = createId('job');
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 3_600_000);
  const draft = {
    id,
    accountId: still.accountId,
    keyId: null,
    name: 'Run',
    totalUrls: data.length,
    scheduleId,
  };
  await jobs.insertDraft({ ...draft, optionsJson: JSON.stringify(options), createdAt: at });
  const urls = data.map((_, index) => ({ index, url: `https://a.test/${index}`, host: 'a.test' }));
  await pages.insertPages(id, urls, expiresAt);
  await jobs.publishDrafts([id]);
  const attempts = data.map((_, index) => ({ id: pageIdOf(id, index), attempt: 1 }));
  await pages.claim(
    attempts.map((attempt) => attempt.id),
    expiresAt,
  );
  const texts = attempts.map((attempt, index) => ({
    ...attempt,
    json: JSON.stringify({ url: urls[index]?.url, data: data[index] }),
  }));
  for (let first = 0; first < texts.length; first += 500) {
    await results.insertResults(texts.slice(first, first + 500), expiresAt);
  }
  const failure = { code: 'TIMEOUT', message: '', suggestion: '', source: 'target' } as const;
  await pages.end(
    attempts.map((attempt, index) =>
      data[index] === null
        ? { ...attempt, state: 'failed' as const, failure }
        : { ...attempt, state: 'succeeded' as const, price: { base: 1 }, verdict: kinds[index] },
    ),
    at,
  );
  const event = { id: createId('evt'), type: 'job.completed' as const, at };
  const set = { completedAt: at, expiresAt };
  return (await jobs.transition(id, { from: ['pending'], to: 'completed', set, event })) as StoredJob;
}

async function compare(run: StoredJob, limits = COMPARE_LIMITS) {
  const found = await compareRun(run, still.stores, new AbortController().signal, { limits });
  return { ...found, changes: found?.changes.map((text) => JSON.parse(text) as Change) };
}

/** Returns the CPU time of this thread, without that of other processes. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

describe('the changes of a run', () => {
  it('are those of its records over all pages, without records that move to another page', async () => {
    const before = shop(BEFORE);
    const first = await crawl(before);
    const after = shop(AFTER);
    expect(after['/4']).not.toEqual(before['/4']);
    const second = await crawl(after, first);
    const changes = await changesOf(second);
    const [job] = await bed.stores.jobs.findJobs([second]);
    expect(job?.comparison).toMatchObject({
      since: first,
      added: 2,
      removed: 1,
      changed: 3,
      stored: 6,
      omitted: 0,
    });
    expect(JSON.parse(job?.comparison?.keysJson ?? '')).toEqual({ products: 'name' });
    expect(changes.map(({ url: _url, ...change }) => change)).toEqual([
      { path: 'products[Book 3].price', kind: 'changed', before: 13, after: 12 },
      { path: 'products[Book 5]', kind: 'removed', before: product(5) },
      { path: 'products[Book 20].price', kind: 'changed', before: 30, after: 29 },
      { path: 'products[Book 30].stock', kind: 'changed', before: 'in stock', after: 'sold out' },
      { path: 'products[Book 42]', kind: 'added', after: product(42) },
      { path: 'products[Book 43]', kind: 'added', after: product(43) },
    ]);
    const [sold] = changes.filter(({ path }) => path.endsWith('stock'));
    expect(sold?.url).toBe('http://a.test/3');
    expect(await changesOf(await crawl(shop(AFTER.toReversed()), second))).toEqual([]);
  });

  /** Runs a schedule of so many pages while another orchestrator holds its comparison. */
  async function heldRun(pages: number) {
    const scheduleId = createId('sch');
    const selectors = { title: 'h1' };
    const respond = (text: string) =>
      scraper.follow(({ body }) => found(body, JSON.stringify({ title: text })));
    respond('Emma');
    const first = await bed.create({ urls: urlsOf(pages), selectors }, { scheduleId });
    await bed.untilJob(first.id, 'completed');
    respond('Kim');
    const id = createId('job');
    const role = `compare:${id}`;
    await bed.stores.leases.acquire({ role, owner: 'another', leaseMs: 3_600_000 });
    await bed.create({ urls: urlsOf(pages), selectors }, { scheduleId, jobId: id });
    return { id, release: () => bed.stores.leases.release(role, 'another') };
  }

  it('of a large run wait for another orchestrator that compares it, or has died of it', async () => {
    const { id, release } = await heldRun(201);
    await eventually(async () => expect(await bed.stores.pages.hasUnfinished(id)).toBe(false));
    expect((await bed.stores.jobs.findJobs([id]))[0]?.completedAt).toBeUndefined();
    await release();
    await bed.untilJob(id, 'completed');
    expect(await changesOf(id)).toHaveLength(201);
  });

  it('of a small run wait for no other process, which may have died', async () => {
    const { id } = await heldRun(2);
    await bed.untilJob(id, 'completed');
    expect(await changesOf(id)).toHaveLength(2);
  });

  it('are the same when the records are compared in many parts', async () => {
    const chunks = (products: readonly Product[]) =>
      Array.from({ length: 6 }, (_, index) => ({
        title: `Page ${index}`,
        products: products.slice(index * 8, index * 8 + 8),
      }));
    const schedule = createId('sch');
    await store(schedule, chunks(BEFORE));
    const run = await store(schedule, chunks(AFTER));
    const whole = await compare(run);
    const parts = await compare(run, { ...COMPARE_LIMITS, maxRecords: 3 });
    const sorted = (changes: readonly Change[] = []) => changes.map(({ path }) => path).toSorted();
    expect(sorted(parts.changes)).toEqual(sorted(whole.changes));
    expect(parts.counts).toEqual({ added: 2, removed: 1, changed: 3 });
    const some = await compare(run, { ...COMPARE_LIMITS, maxChanges: 2 });
    expect(some).toMatchObject({ counts: parts.counts, changes: { length: 2 }, omitted: 4 });
    expect(await compare(run, { ...COMPARE_LIMITS, maxPages: 5 })).toEqual({ changes: undefined });
  });

  it('say nothing of a page that failed, now or before', async () => {
    const schedule = createId('sch');
    const pages = [{ list: [{ name: 'A', n: 1 }] }, { list: [{ name: 'B', n: 1 }] }];
    await store(schedule, [pages[0] ?? null, null]);
    const second = await store(schedule, pages);
    expect((await compare(second)).changes).toEqual([]);
    const third = await store(schedule, [null, { list: [{ name: 'B', n: 2 }] }]);
    expect((await compare(third)).changes).toMatchObject([{ path: 'list[B].n', before: 1, after: 2 }]);
    const fourth = await store(schedule, [{ list: [] }, { list: [{ name: 'B', n: 2 }] }]);
    expect((await compare(fourth)).changes).toMatchObject([{ path: 'list[A]', kind: 'removed' }]);
  });

  it('say nothing of a page that is a login for a while, and count it', async () => {
    const schedule = createId('sch');
    const add = (data: readonly object[], kinds: readonly PageKind[]) => store(schedule, data, {}, kinds);
    const books = (price: number) => ({
      list: [
        { name: 'A', price },
        { name: 'B', price: 2 },
      ],
    });
    const other = { list: [{ name: 'C', price: 3 }] };
    await add([books(1), other], ['content', 'content']);
    const second = await add([{ list: null }, other], ['login', 'content']);
    expect(await compare(second)).toMatchObject({ changes: [], notCompared: 1 });
    // A login that changes is not a change either.
    const third = await add([{ list: [{ name: 'Sign in', price: 9 }] }, other], ['login', 'content']);
    expect(await compare(third)).toMatchObject({ changes: [], notCompared: 1 });
    // A record of the page that cannot be seen has moved to another one, and one of that is gone.
    const moved = { list: [{ name: 'B', price: 2 }] };
    const fourth = await add([{ list: null }, moved], ['wall', 'content']);
    expect((await compare(fourth)).changes).toMatchObject([{ path: 'list[C]', kind: 'removed' }]);
    const fifth = await add([books(5), moved], ['content', 'content']);
    expect(await compare(fifth)).toMatchObject({
      changes: [{ path: 'list[A].price', before: 1, after: 5 }],
      notCompared: 0,
    });
  });

  it('are compared of a page that was never anything but a login, until it is', async () => {
    const schedule = createId('sch');
    const run = (title: string, kind: PageKind | undefined) => store(schedule, [{ title }], {}, [kind]);
    await run('Sign in', 'login');
    const second = await compare(await run('Log in', 'login'));
    expect(second).toMatchObject({ changes: [{ before: 'Sign in', after: 'Log in' }], notCompared: 0 });
    const third = await compare(await run('Books', 'content'));
    expect(third).toMatchObject({ changes: [], notCompared: 1 });
    const fourth = await compare(await run('More books', 'content'));
    expect(fourth).toMatchObject({ changes: [{ before: 'Books', after: 'More books' }], notCompared: 0 });
    // A version without verdicts has stored the base.
    const older = createId('sch');
    await store(older, [{ title: 'Books' }]);
    const newer = await store(older, [{ title: 'Sign in' }], {}, ['login']);
    expect(await compare(newer)).toMatchObject({ changes: [], notCompared: 1 });
  });

  it('match records by the key of their selector, and those without a key by their content', async () => {
    const schedule = createId('sch');
    const selectors = (key: object) => ({
      selectors: { list: { selector: 'li', all: true, fields: { a: 'a', b: 'b' }, ...key } },
    });
    await store(schedule, [
      {
        list: [
          { a: 'x', b: 'one' },
          { a: 'y', b: 'two' },
        ],
      },
    ]);
    const data = [
      {
        list: [
          { a: 'z', b: 'one' },
          { a: 'y', b: 'two' },
        ],
      },
    ];
    const given = await compare(await store(schedule, data, selectors({ key: 'b' })));
    expect(given).toMatchObject({
      keys: { list: 'b' },
      changes: [{ path: 'list[one].a', before: 'x', after: 'z' }],
    });
    const other = createId('sch');
    const same = { a: 'x', b: 'x' };
    await store(other, [{ list: [same, { a: 'x', b: 'y' }, { a: 'y', b: 'y' }] }]);
    const run = await store(other, [{ list: [{ a: 'y', b: 'y' }, same] }]);
    expect(await compare(run)).toMatchObject({
      keys: {},
      counts: { added: 0, removed: 1, changed: 0 },
      changes: [{ kind: 'removed', before: { a: 'x', b: 'y' } }],
    });
  });

  it('are those of one page with more records than a call has arguments', async () => {
    const schedule = createId('sch');
    const page = (price: number) => ({
      list: Array.from({ length: 130_000 }, (_, id) => ({ id, price: id === 7 ? price : 1 })),
    });
    await store(schedule, [page(1)]);
    expect(await compare(await store(schedule, [page(2)]))).toMatchObject({
      keys: { list: 'id' },
      changes: [{ path: 'list[7].price', before: 1, after: 2 }],
    });
  });

  it('leave the process to other work while the key of wide records is sought', async () => {
    const schedule = createId('sch');
    const record = (index: number) =>
      Object.fromEntries(
        Array.from({ length: 95 }, (_, field) => [`field${field}`, `${index >> 1} ${field}`]),
      );
    const page = { list: Array.from({ length: 2000 }, (_, index) => record(index)) };
    await store(schedule, [page]);
    const run = await store(schedule, [page]);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const cpu = process.cpuUsage();
    expect((await compare(run)).changes).toEqual([]);
    const { user } = process.cpuUsage(cpu);
    isOver = true;
    // One turn for each ten milliseconds of work, and never one for a whole second.
    expect(turns).toBeGreaterThan(user / 1e6);
  });

  it('leave the process to other work, however many records there are', async () => {
    const schedule = createId('sch');
    const page = (index: number, price: number) => ({
      products: Array.from({ length: 100 }, (_, place) => ({
        sku: `${index}-${place}`,
        title: `A book with a longer title, ${place}`,
        price: price + place,
      })),
    });
    const pages = Array.from({ length: 500 }, (_, index) => index);
    await store(
      schedule,
      pages.map((index) => page(index, 0)),
    );
    const run = await store(
      schedule,
      pages.map((index) => page(index, index === 250 ? 1 : 0)),
    );
    let longestMs = 0;
    let beganMs = cpuMs();
    const note = () => {
      const nowMs = cpuMs();
      longestMs = Math.max(longestMs, nowMs - beganMs);
      beganMs = nowMs;
    };
    // It fires after each turn that is longer than its interval.
    const watching = setInterval(note, 1);
    const { counts } = await compare(run).finally(() => clearInterval(watching));
    note();
    expect(counts).toEqual({ added: 0, removed: 0, changed: 100 });
    expect(longestMs).toBeLessThan(1000);
  });
});
