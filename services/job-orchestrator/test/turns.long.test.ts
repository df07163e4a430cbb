import {
  type CrawlOptions,
  type CreateJobCommand,
  createId,
  type DatasetOptions,
  type PageOutcome,
} from '@gleaner/contracts';
import { eventually, findLongTurns, startWatchedProcess, type WatchedProcess } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

type Outcome = PageOutcome['outcome'];

const MANY_URLS = 30_000;
const WAIT_MS = 300_000;
const SHOP = 'https://shop.example.com/';
const PATTERN = '(?i)[\\pL\\pN\\pS\\pM]';
const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));
const manyUrls = times(MANY_URLS, (index) => `${SHOP}products/of/a/path/${index}?page=${index}`);
const longUrls = times(100, (index) => `${SHOP}${'path/'.repeat(1600)}${index}`);

let bed: TestBed;
let scraper: ScriptedScraper;
let orchestrator: WatchedProcess;

beforeAll(async () => {
  bed = await startTestBed();
  orchestrator = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), bed.env);
  scraper = await bed.startScraper(50);
});
afterAll(async () => {
  await orchestrator?.[Symbol.asyncDispose]();
  await bed?.[Symbol.asyncDispose]();
});

type Request = Partial<CreateJobCommand['request']>;
type More = Partial<CreateJobCommand>;

function commandOf(request: Request, more: More = {}): CreateJobCommand {
  const ids = { jobId: createId('job'), accountId: bed.accountId, keyId: 'key_1' };
  return { type: 'create', ...ids, ...more, request: { urls: [], ...request } };
}

/** Creates a job as the gateway has large ones created, and returns its id. */
async function create(request: Request, more?: More): Promise<string> {
  const command = commandOf(request, more);
  return (await bed.broker.request('jobs.large-commands', command, { timeoutMs: WAIT_MS })).job.id;
}

async function cancel(jobId: string): Promise<void> {
  const command = { type: 'cancel', jobId, accountId: bed.accountId } as const;
  await bed.broker.request('jobs.commands', command, { timeoutMs: WAIT_MS });
  await bed.untilJob(jobId, 'cancelled', WAIT_MS);
}

/** Creates and cancels a small job of another account. */
async function createBeside(): Promise<void> {
  const accountId = 'acc_bystander';
  const command = { ...commandOf({ urls: ['https://beside.example/'] }), accountId };
  const timeoutMs = WAIT_MS;
  const { job } = await bed.broker.request('jobs.commands', command, { timeoutMs });
  await bed.broker.request('jobs.commands', { type: 'cancel', jobId: job.id, accountId }, { timeoutMs });
}

/** Creates a job, of which no page ends, and cancels it. */
async function createOnly(request: Request, more?: More): Promise<string> {
  scraper.follow(() => undefined);
  const id = await create(request, more);
  await cancel(id);
  return id;
}

/** Creates a job, whose pages are found with this data, and waits until it has finished. */
async function finish(dataJson: string, request: Request, more?: More): Promise<void> {
  scraper.follow(({ body }) => found(body, dataJson));
  await bed.untilJob(await create(request, more), 'completed', WAIT_MS);
}

/** Crawls a site of large files and many links until the crawl knows as many pages as it remembers. */
async function crawlLargeSite(): Promise<void> {
  const links = (count: number) =>
    times(count, (index) => ({ url: `${SHOP}a/page/${index}`, key: `shop.example.com/a/page/${index}` }));
  const crawl = { textHash: 'a', dataHash: 'a', dropped: {}, links: links(5000) };
  const outcomes: Record<string, Outcome> = {
    '/robots.txt': {
      kind: 'robots',
      sitemaps: [`${SHOP}sitemap.xml`],
      rules: times(30_000, (index) => ({ isAllowed: index % 2 === 0, pattern: `/*b${index}*c$` })),
    },
    '/sitemap.xml': { kind: 'sitemap', dropped: {}, sitemaps: [], links: links(50_000) },
    '/': { ...(found({ request: { url: SHOP } }) as Extract<Outcome, { kind: 'found' }>), crawl },
  };
  scraper.follow(({ body }) => outcomes[new URL(body.request.url).pathname]);
  const id = await create({ urls: [SHOP], crawl: { limit: 1000 } });
  await eventually(
    async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect(job?.crawl?.dropped.frontierFull).toBeGreaterThan(45_000);
      expect(job?.completedUrls).toBe(1);
    },
    { timeoutMs: WAIT_MS },
  );
  await cancel(id);
}

/** Has two runs compared, of which each record differs from the other's. */
async function compareLargeRuns(): Promise<void> {
  const more = { scheduleId: createId('sch') };
  for (const text of ['before', 'after']) {
    const cards = times(40_000, (id) => ({ id, title: `Card ${id}`, price: { amount: id }, text }));
    await finish(JSON.stringify({ cards }), { urls: [SHOP], selectors: CARDS }, more);
  }
}

/** Has two runs of a large value compared and measured. */
async function compareDenseRuns(): Promise<void> {
  const more = { scheduleId: createId('sch') };
  const dense = (end: number) =>
    JSON.stringify({ text: end, cards: [], all: [...times(1_000_000, () => []), end] });
  for (const end of [1, 2]) await finish(dense(end), { urls: [SHOP], selectors: CARDS }, more);
}

/** Has a dataset kept of a schedule of many records and of one dense record; the second run lacks what the first had. */
async function keepDatasets(): Promise<void> {
  const more = { scheduleId: createId('sch') };
  const keep = async (name: string, rows: readonly object[]) => {
    const dataset: DatasetOptions = { name, rows: 'cards', key: ['id'], gone: 'run' };
    await finish(JSON.stringify({ cards: rows }), { urls: [SHOP], selectors: CARDS, dataset }, more);
  };
  // Few records of many values cost as much to read as many records, and little to store.
  const values = times(100, (index) => ({ index }));
  for (const text of ['before', 'after'])
    await keep(
      'many',
      times(2000, (id) => ({ id: `${text} ${id}`, text, values })),
    );
  for (const end of [1, 2]) await keep('dense', [{ id: 'one', all: [...times(1_000_000, () => []), end] }]);
}

/** Has rules judge two runs of many records, each of which meets them the second time, and one of a dense value. */
async function judgeRuns(): Promise<void> {
  const when = { all: [{ field: 'cards.price', below: 20 }, { changed: ['cards.text'] }] };
  const more = { scheduleId: createId('sch'), notify: [{ name: 'Cheap', when, to: ['chn_1'] }] };
  const selectors = { cards: { ...CARDS.cards, fields: { ...CARDS.cards.fields, price: 'i::number' } } };
  for (const price of [30, 10]) {
    const cards = times(3000, (id) => ({ id, title: `Card ${id}`, text: `${price} `.repeat(60), price }));
    await finish(JSON.stringify({ cards }), { urls: [SHOP], selectors }, more);
  }
  const dense = [...times(1_000_000, () => []), 1];
  await finish(
    JSON.stringify({ cards: [{ id: 1, text: dense, price: 1 }] }),
    { urls: [SHOP], selectors },
    more,
  );
}

/** Crawls a site of redirects to long URLs; each meets large patterns. */
async function followLongRedirects(): Promise<void> {
  scraper.follow(({ body: { request } }) => ({
    kind: 'redirected',
    url: `${request.url}/${'to/'.repeat(600)}`,
  }));
  const urls = times(50, (index) => `${SHOP}${index}`);
  const include = times(50, (index) => ({ regex: `${PATTERN}{1,3}${index}x` }));
  const id = await create({ ...crawling({ include, exclude: include }), urls });
  await eventually(
    async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect(job?.completedUrls).toBeGreaterThanOrEqual(urls.length);
    },
    { timeoutMs: WAIT_MS },
  );
  await cancel(id);
}

const CARDS = { cards: { selector: 'a', all: true, key: 'id', fields: { id: 'b', title: 'h2', text: 'p' } } };
const crawling = (crawl: CrawlOptions): Request => ({
  urls: [SHOP],
  crawl: { robots: 'ignore', sitemap: 'skip', ...crawl },
});

/** A crawl of start URLs of one kind. */
const crawlOf = (crawl: CrawlOptions, urls: readonly string[] = [SHOP]) =>
  createOnly({ ...crawling(crawl), urls: [...urls] });
const NUMBER = 'It is a number or a choice, and work on texts does not depend on it.';

/** Costly case of every option of a crawl, or the reason for none; the compiler asks for a new one. */
const CRAWL_CASES: Readonly<Record<keyof CrawlOptions, (() => Promise<unknown>) | string>> = {
  scope: () => crawlOf({ scope: 'domain' }, longUrls),
  include: () =>
    crawlOf({ include: times(53, (index) => ({ regex: `${PATTERN}{1,3}${index}x` })) }, longUrls),
  exclude: () => crawlOf({ exclude: times(14, (index) => ({ regex: `(${PATTERN}{1,30}){1,30}${index}` })) }),
  rules: () =>
    crawlOf({
      rules: times(50, (index) => ({
        match: { regex: `${PATTERN}{1,2}${index}` },
        follow: times(20, () => ':has(a > b)'.repeat(93)),
      })),
    }),
  ignoreQuery: () =>
    crawlOf(
      { ignoreQuery: times(100, (index) => `${'*a'.repeat(120)}${index}`) },
      times(
        1000,
        (index) => `${SHOP}?${times(200, (name) => `${'a'.repeat(25)}${name}=${index}`).join('&')}`,
      ),
    ),
  sitemap: 'Its files are read in the case of `robots`.',
  robots: crawlLargeSite,
  changes: compareLargeRuns,
  since: 'A run of a schedule is compared by the same code, in the case of `changes`.',
  limit: NUMBER,
  maxDepth: NUMBER,
  maxHosts: NUMBER,
  delay: NUMBER,
  concurrency: NUMBER,
  maxCredits: NUMBER,
  maxDuration: NUMBER,
  maxPerPattern: () => crawlOf({ maxPerPattern: 1 }, longUrls),
};

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'many URLs': () => createOnly({ urls: manyUrls }, { idempotencyKey: createId('req') }),
  'many equal URLs': () => createOnly({ urls: manyUrls.map(() => SHOP) }),
  'a rerun': async () => {
    await createOnly({ urls: manyUrls }, { rerun: { jobId: 'job_1' }, idempotencyKey: createId('req') });
  },
  'an extraction': async () => {
    const jobId = await createOnly({ urls: manyUrls });
    await createOnly({ selectors: CARDS }, { extractOf: jobId, pagesOf: { jobId, only: 'all' } });
  },
  'long URLs': () => createOnly({ urls: longUrls }),
  'runs of schedules': async () => {
    scraper.follow(() => undefined);
    const urls = times(1000, (index) => `${SHOP}${'path/'.repeat(150)}${index}`);
    const runs = times(5, () => commandOf({ urls }, { keyId: null, scheduleId: createId('sch') }));
    await bed.broker.request('jobs.runs', { runs }, { timeoutMs: WAIT_MS });
    for (const { jobId } of runs) await cancel(jobId);
  },
  'large results': () =>
    finish(JSON.stringify({ text: '"ü\n'.repeat(600_000) }), { urls: manyUrls.slice(0, 50) }),
  'a comparison of dense results': compareDenseRuns,
  'the records of datasets': keepDatasets,
  'the rules of a schedule': judgeRuns,
  'redirects that meet large patterns': followLongRedirects,
  'small results': () =>
    finish(JSON.stringify({ text: 'ü'.repeat(1000) }), { urls: manyUrls.slice(0, 1000) }),
};

describe('no turn of the event loop of an orchestrator is long', () => {
  const ofCrawls = Object.entries(CRAWL_CASES).flatMap(([name, run]) =>
    typeof run === 'string' ? [] : [[`the option ${name} of a crawl`, run] as const],
  );
  it.each([...Object.entries(CASES), ...ofCrawls])(
    'at %s',
    async (name, run) => {
      expect(await findLongTurns(orchestrator, [[name, run]], createBeside)).toEqual([]);
    },
    900_000,
  );
});
