import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import {
  createId,
  defined,
  engineFor,
  type PageCrawl,
  type PageOutcome,
  purposeOf,
  type ScrapeCommand,
  type ScrapeReply,
  type ScrapeRequest,
} from '@gleaner/contracts';
import { startAmqpServer } from '@gleaner/embedded';
import { createLogger, createSecretBox } from '@gleaner/service-kit';
import {
  type CostlyCase,
  eventually,
  findLongTurns,
  HOSTILE_PAGES,
  type Site,
  startSite,
  startWatchedProcess,
  typeOfHostile,
  untilReady,
  type WatchedProcess,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { COSTLY_OPTIONS, costlyCrawl } from './costly-options.ts';

const WAIT_MS = 120_000;
/** Sizes of pages that are read at once, at once for jobs alone, and in threads. */
const SIZES = { small: 60_000, medium: 250_000 };
/** Shapes that an option meets, in turns: the pages of jobs meet all of them. A rendered one takes longer. */
const SHAPES_OF_OPTION = { plain: 2, rendered: 1 };
const SHAPES = Object.keys(HOSTILE_PAGES);
const SECRETS_KEY = 'k'.repeat(40);
/** A secret that is in the shapes of JSON and in most others many times. */
const SECRETS = ['null', '"a":', 'Page'];
/** Page with a field. It writes a hostile text into itself, at first and at each key. */
const FETCHING = (shape: string) => `<title>Page</title><input id=p><script>
  const load = async () => { const text = await (await fetch('/medium/${encodeURIComponent(shape)}')).text(); document.body.append(text); };
  load(); p.oninput = load;
</script>`;

let folder: string;
let amqp: Awaited<ReturnType<typeof startAmqpServer>>;
let site: Site;
let broker: Broker;
const outcomes = new Map<string, PageOutcome>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-turns-'));
  amqp = await startAmqpServer({ dataDir: folder });
  site = await startSite(({ url, response }) => {
    const [size = '', shape = ''] = url.pathname.slice(1).split('/').map(decodeURIComponent);
    const make = HOSTILE_PAGES[shape];
    response.setHeader('content-type', make && size !== 'fetching' ? typeOfHostile(shape) : 'text/html');
    const page = size === 'fetching' ? FETCHING(shape) : make?.(SIZES[size as keyof typeof SIZES]);
    response.end(page ?? '<title>Page</title><p>A page');
  });
  const stream = { write: () => true };
  const logger = createLogger({ service: 'test', level: 'fatal', format: 'json', stream });
  broker = await connectBroker({ url: amqp.url, name: 'turns', logger });
  const keep = async ({ body }: { readonly body: PageOutcome }) => void outcomes.set(body.pageId, body);
  broker.consumeWork('pages.results', keep, { concurrency: 10 });
  broker.consumeWork('pages.large-results', keep, { concurrency: 1 });
  await untilReady(broker);
});
afterAll(async () => {
  await broker?.close();
  await site?.close();
  await amqp?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a scraper, and waits until it takes pages of jobs. */
async function startWatched(settings: Readonly<Record<string, string>>): Promise<WatchedProcess> {
  const scraper = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), {
    AMQP_URL: amqp.url,
    EGRESS_ALLOW: `127.0.0.1:${new URL(site.origin).port}`,
    ...settings,
  });
  await eventually(async () => expect(await broker.consumerCount('pages.http')).toBe(1), {
    timeoutMs: WAIT_MS,
  });
  return scraper;
}

const urlOf = (size: keyof typeof SIZES, shape: string) =>
  `${site.origin}/${size}/${encodeURIComponent(shape)}`;

/** Scrapes a page for a caller; pages that are refused as too costly count as answered. */
async function scrape(request: ScrapeRequest, more: Partial<ScrapeCommand> = {}): Promise<ScrapeReply> {
  const deadlineMs = Date.now() + WAIT_MS;
  const times = { deadlineMs, timeoutMs: WAIT_MS };
  const command = { requestId: createId('req'), accountId: 'acc_1', ...times, request, ...more };
  const reply = await broker.request(`scrape.${engineFor(request)}`, command, {
    deadlineMs,
    graceMs: WAIT_MS,
  });
  if (!reply.ok && reply.failure.code === 'INTERNAL_ERROR') throw new Error(reply.failure.message);
  return reply;
}

/** Scrapes a small page for another account. */
async function scrapeBeside(): Promise<void> {
  const reply = await scrape({ url: `${site.origin}/beside` }, { accountId: 'acc_2' });
  if (!reply.ok) throw new Error(reply.failure.message);
}

/** Reads a page of a job, of a crawl or a file of a crawl. */
async function readPage(request: ScrapeRequest, crawl?: PageCrawl): Promise<void> {
  const pageId = `${createId('job')}:0`;
  const page = { jobId: pageId.slice(0, -2), pageId, attempt: 1, accountId: 'acc_1' };
  const times = { timeoutMs: WAIT_MS, startBeforeMs: Date.now() + WAIT_MS };
  const command = { ...page, ...times, request, ...defined({ crawl }) };
  const [error] = await broker.publishWork(`pages.${engineFor(request)}`, [command]);
  if (error) throw error;
  await eventually(() => expect(outcomes.has(pageId)).toBe(true), { timeoutMs: WAIT_MS });
  outcomes.delete(pageId);
}

async function map(shape: string): Promise<void> {
  const request = { url: urlOf('medium', shape), limit: 50_000, search: 'page a b c', depth: 1 as const };
  const command = { requestId: createId('req'), accountId: 'acc_1', timeoutMs: 20_000, request };
  await broker.request('maps.commands', command, { timeoutMs: WAIT_MS }).catch(() => {});
}

const requestsOf = (name: string): readonly Omit<ScrapeRequest, 'url'>[] => {
  const costly = COSTLY_OPTIONS[name as keyof typeof COSTLY_OPTIONS];
  return typeof costly === 'string' ? [] : costly;
};
const shapesOf = (name: string, count: number): string[] => {
  const first = Object.keys(COSTLY_OPTIONS).indexOf(name) * count;
  return Array.from({ length: count }, (_, index) => SHAPES[(first + index) % SHAPES.length] ?? '');
};
const isPlain = (options: Omit<ScrapeRequest, 'url'>) =>
  engineFor(options) === 'http' && options.render !== 'auto' && options.antiBot !== true;

describe('no turn of the event loop of a scraper is long', () => {
  let scraper: WatchedProcess;
  beforeAll(async () => {
    scraper = await startWatched({ ENGINES: 'http' });
  });
  afterAll(async () => await scraper?.[Symbol.asyncDispose]());

  const everyShape = (read: (shape: string) => Promise<unknown>): CostlyCase[] =>
    SHAPES.map((shape) => [shape, () => read(shape)]);

  it.each(['small', 'medium'] as const)(
    'at %s pages of jobs and crawls',
    async (size) => {
      const cases = everyShape(async (shape) => {
        const request = { url: urlOf(size, shape), formats: ['markdown' as const] };
        await readPage(request);
        await readPage(request, costlyCrawl('page'));
      });
      expect(await findLongTurns(scraper, cases, scrapeBeside)).toEqual([]);
    },
    3_600_000,
  );

  it.each(['robots', 'sitemap'] as const)(
    'at files of crawls: %s',
    async (purpose) => {
      const cases = everyShape((shape) => readPage({ url: urlOf('medium', shape) }, costlyCrawl(purpose)));
      expect(await findLongTurns(scraper, cases, scrapeBeside)).toEqual([]);
    },
    3_600_000,
  );

  it('at maps', async () => {
    expect(await findLongTurns(scraper, everyShape(map), scrapeBeside)).toEqual([]);
  }, 3_600_000);

  it.each(Object.keys(COSTLY_OPTIONS).filter((name) => requestsOf(name).some(isPlain)))(
    'with the option %s',
    async (name) => {
      const cases = shapesOf(name, SHAPES_OF_OPTION.plain).map((shape): CostlyCase => {
        const run = async () => {
          for (const options of requestsOf(name).filter(isPlain))
            await scrape({ url: urlOf('small', shape), ...options });
        };
        return [shape, run];
      });
      expect(await findLongTurns(scraper, cases, scrapeBeside)).toEqual([]);
    },
    3_600_000,
  );
});

await describeWithBrowser('no turn of the event loop of a scraper that renders is long', (settings) => {
  let scraper: WatchedProcess;
  beforeAll(async () => {
    scraper = await startWatched({ ENGINES: 'http,browser', SECRETS_KEY, ...settings });
  });
  afterAll(async () => await scraper?.[Symbol.asyncDispose]());

  it.each(Object.keys(COSTLY_OPTIONS).filter((name) => requestsOf(name).some((each) => !isPlain(each))))(
    'with the option %s',
    async (name) => {
      const cases = shapesOf(name, SHAPES_OF_OPTION.rendered).map((shape): CostlyCase => {
        const run = async () => {
          for (const options of requestsOf(name)) {
            if (!isPlain(options)) await scrape({ url: urlOf('small', shape), timeout: 20_000, ...options });
          }
        };
        return [shape, run];
      });
      expect(await findLongTurns(scraper, cases, scrapeBeside)).toEqual([]);
    },
    3_600_000,
  );

  it('at captured bodies and pages that are full of secrets', async () => {
    const box = createSecretBox(SECRETS_KEY);
    const secrets = SECRETS.map((value, index) => {
      const named = { name: `s${index}` };
      return { ...named, sealed: box?.seal(purposeOf('acc_1', named), value) ?? '' };
    });
    const shapes = SHAPES.filter((shape) => shape.includes('JSON') || shape === 'many links');
    const cases = shapes.map((shape): CostlyCase => {
      const run = async () => {
        const reply = await scrape(
          {
            url: `${site.origin}/fetching/${encodeURIComponent(shape)}`,
            actions: secrets.map(({ name }) => ({ fill: '#p', value: { secret: name } })),
            capture: { all: { url: '**/medium/**', wait: 1, limit: 10 } },
            formats: ['text', 'html'],
          },
          { secrets },
        );
        if (!reply.ok) throw new Error(reply.failure.message);
      };
      return [shape, run];
    });
    expect(await findLongTurns(scraper, cases, scrapeBeside)).toEqual([]);
  }, 3_600_000);
});
