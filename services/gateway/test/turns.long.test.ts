import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Incoming } from '@gleaner/broker';
import {
  firecrawlIdOf,
  LIMITS,
  type MapCommand,
  type RequestBody,
  ROUTES,
  type RouteName,
} from '@gleaner/contracts';
import {
  type CostlyCase,
  findLongTurns,
  type SearxngStub,
  startSearxng,
  startWatchedProcess,
  untilReady,
  type WatchedProcess,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COSTLY_URLS, WRONG_URLS } from './support/costly-bodies.ts';
import { type CostlyCall, costlyCallsOf, targetOf } from './support/costly-calls.ts';
import { startScriptedNotifier } from './support/scripted-notifier.ts';
import { startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { found, startScriptedWorker } from './support/scripted-worker.ts';
import { type LargeData, largeContent, seedLarge } from './support/seed-large.ts';
import { startTestBed, type TestBed, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: WatchedProcess;
let owner: TestKey;
let bystander: TestKey;
let data: LargeData;
let searxng: SearxngStub;

beforeAll(async () => {
  bed = await startTestBed();
  const orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  await startScriptedNotifier(bed.broker, bed.stores);
  const worker = await startScriptedWorker(bed.broker);
  await startScriptedWorker(bed.broker, 'scrape.browser');
  bed.broker.consumeWork('pages.browser', async () => {}, { concurrency: 1 });
  const large = { dataJson: JSON.stringify({ text: largeContent(8_000_000) }) };
  worker.follow(({ body }) => found(body.request.url.endsWith('large') ? large : {}));
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };
  const content = (characters: number) =>
    brotliCompressSync(largeContent(characters), fast).toString('base64');
  const [largeAnswer, smallAnswer] = [content(30_000_000), content(100)];
  const difference = { path: 'a'.repeat(500), expected: 'ä'.repeat(1001), actual: 'ä'.repeat(1001) };
  const compared = { passed: false, verdict: 'content', differences: Array(100).fill(difference) };
  const tested = brotliCompressSync(JSON.stringify(compared), fast).toString('base64');
  const markdown = JSON.stringify(largeContent(8_000_000));
  const parsed = brotliCompressSync(`{"formats":{"markdown":${markdown}}}`, fast).toString('base64');
  const answer = async ({ body }: Incoming<RequestBody<'snapshots.commands'>>) => {
    if ('file' in body) return { content: parsed };
    if (body.task.type === 'test') return { content: tested };
    return { content: body.page.source.length > 1000 ? largeAnswer : smallAnswer };
  };
  bed.broker.respond('snapshots.commands', answer, { concurrency: 10 });
  const mapOf = (count: number) =>
    JSON.stringify({
      urls: Array.from({ length: count }, (_, index) => ({
        url: `https://example.com/${index}`,
        text: 'A "page"',
      })),
      sources: [],
      complete: true,
    });
  const [largeMap, smallMap] = [mapOf(50_000), mapOf(1000)];
  const map = async ({ body }: Incoming<MapCommand>) => ({
    mapJson: body.request.limit === 1000 ? smallMap : largeMap,
    pages: 1,
  });
  bed.broker.respond('maps.commands', map, { concurrency: 1 });
  await untilReady(bed.broker);
  owner = await bed.createKey();
  bystander = await bed.createKey();
  data = await seedLarge(bed, owner.accountId);
  orchestrator.follow(() => data.wide);
  searxng = await startSearxng(({ query }) =>
    Array.from({ length: 10 }, (_none, index) => ({ url: `${URL_A}${index}/${query}` })),
  );
  gateway = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), {
    ...bed.env,
    SEARCH_URL: searxng.url,
    PORT: '0',
    SECRETS_KEY: 'k'.repeat(40),
    RATE_LIMIT_CREATE: '100000',
    RATE_LIMIT_SCRAPE: '100000',
    RATE_LIMIT_READ: '100000',
    RATE_LIMIT_EXTRACT: '100000',
  });
}, 600_000);
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await bed?.[Symbol.asyncDispose]();
  await searxng?.[Symbol.asyncDispose]();
});

/** Sends a request and reads its response. Throws if it is answered otherwise than it should be. */
async function send(route: RouteName, call: CostlyCall): Promise<void> {
  const { body, status = ROUTES[route].status } = call;
  await sendTo(targetOf(route, call), { method: ROUTES[route].method.toUpperCase(), body, status });
}

interface Call {
  readonly method: string;
  readonly body?: object | undefined;
  readonly status: number;
  readonly key?: string;
}

async function sendTo(target: string, { method, body, status, key = owner.key }: Call): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${gateway.ports.http}${target}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status === status) await response.arrayBuffer();
  else throw new Error(`Its status is ${response.status}: ${await response.text()}`);
}

/** Files that cost the most to take out of an upload. */
const COSTLY_FILES = {
  'a large file': 'ä\r\n--'.repeat(1_500_000),
  'a file of many line breaks': '\r\n'.repeat(5_000_000),
  'a file that nothing compresses': randomBytes(LIMITS.maxPageBytes),
};

async function upload(content: string | Buffer<ArrayBuffer>): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob([content], { type: 'text/html' }), 'a.html');
  const headers = { authorization: `Bearer ${owner.key}` };
  const response = await fetch(`http://127.0.0.1:${gateway.ports.http}/v2/parse`, {
    method: 'POST',
    headers,
    body,
  });
  if (response.status !== 200) throw new Error(`Its status is ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** Scrapes a small page for another account. */
const scrapeBeside = () =>
  sendTo('/v1/scrape', {
    method: 'POST',
    body: { url: 'https://beside.example/' },
    status: 200,
    key: bystander.key,
  });

const URL_A = 'https://example.com/';

/** Calls of Firecrawl's API: the name, the path, and the body with the status of its answer. */
const firecrawlCalls = (): (readonly [name: string, path: string, body?: object, status?: number])[] => [
  ['a large page', '/v2/scrape', { url: `${URL_A}large` }],
  ['a large map', '/v2/map', { url: `${URL_A}large` }],
  ...Object.entries(COSTLY_URLS).map(([name, urls]) => [name, '/v2/batch/scrape', { urls }] as const),
  ...Object.entries(WRONG_URLS).map(([name, urls]) => [name, '/v2/batch/scrape', { urls }, 400] as const),
  [
    'many patterns',
    '/v2/crawl',
    { url: URL_A, includePaths: Array.from({ length: 100 }, (_none, index) => `/${index}/[a-z]*/b`) },
  ],
  ...[data.wide, data.heavy].flatMap(({ id }) =>
    ['', '/errors', '?skip=1000'].map((rest) => [rest, `/v2/crawl/${firecrawlIdOf(id)}${rest}`] as const),
  ),
];

describe('no turn of the event loop of a gateway is long', () => {
  it.each(Object.keys(ROUTES) as RouteName[])(
    'in the route %s',
    async (route) => {
      const cases = costlyCallsOf(route, data).map((call): CostlyCase => {
        return [call.name ?? targetOf(route, call), () => send(route, call)];
      });
      expect(await findLongTurns(gateway, cases, scrapeBeside)).toEqual([]);
    },
    600_000,
  );

  it('in the API of Firecrawl', async () => {
    const cases = firecrawlCalls().map(([name, path, body, status = 200]): CostlyCase => {
      const method = body ? 'POST' : 'GET';
      return [`${name} ${path}`, () => sendTo(path, { method, body, status })];
    });
    const uploads = Object.entries(COSTLY_FILES).map(([name, file]): CostlyCase => {
      return [`${name} /v2/parse`, () => upload(file)];
    });
    expect(await findLongTurns(gateway, [...cases, ...uploads], scrapeBeside)).toEqual([]);
  }, 600_000);
});
