import { AppError, type MapCommand, type MapResult, type MapSource } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let key: string;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({
    RATE_LIMIT_CREATE: '1000',
    MAX_PAGES_PER_CRAWL: '5000',
    PROXIES: 'us=http://proxy.example:3128',
  });
  worker = await startScriptedWorker(bed.broker);
  await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  ({ key } = await bed.createKey());
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const url = 'https://example.com/';
const urls = [url, `${url}#top`, `${url}2`];
const cron = '0 9 * * *';
const ruleOf = (field: string) => ({ name: 'A rule', when: { changed: [field] }, to: ['chn_none'] });

function post(path: string, body: unknown, by = key) {
  return call(gateway.url + path, { key: by, body: body as object });
}

async function estimate(body: object, by = key) {
  const { status, json } = await post('/v1/estimate', body, by);
  expect({ status, json }).toMatchObject({ status: 200, json: { success: true } });
  return json.estimate;
}

describe('the estimate of a request', () => {
  it.each<[object, object]>([
    [{}, { worst: 1, expected: 1 }],
    [{ proxy: 'us' }, { worst: 6, expected: 6 }],
    [
      { render: true, screenshot: true },
      { worst: 6, expected: 6 },
    ],
    [{ render: 'auto' }, { worst: 5, expected: 1 }],
    [{ antiBot: true }, { worst: 15, expected: 1 }],
    [
      { antiBot: true, waitFor: 10 },
      { worst: 15, expected: 5 },
    ],
  ])('of a scrape with %j rests on its options', async (options, credits) => {
    expect(await estimate({ url, ...options })).toMatchObject({
      of: 'scrape',
      credits: { ...credits, basis: 'options' },
      pages: { atLeast: 1, atMost: 1 },
    });
  });

  it('of a scrape rests on maxCredits where that is lower', async () => {
    expect(await estimate({ url, antiBot: true, maxCredits: 12 })).toMatchObject({
      credits: { worst: 12, expected: 1, basis: 'maxCredits' },
    });
    expect(await estimate({ url, maxCredits: 12 })).toMatchObject({
      credits: { worst: 1, expected: 1, basis: 'options' },
    });
  });

  it.each<[object, object]>([
    [
      { depth: 0 },
      { credits: { worst: 0, expected: 0, basis: 'options' }, pages: { atLeast: 0, atMost: 0 } },
    ],
    [{ search: 'kettle' }, { credits: { worst: 1, expected: 1 }, pages: { atLeast: 1, atMost: 1 } }],
    [{ depth: 2 }, { credits: { worst: 500, basis: 'options' }, pages: { atLeast: 1, atMost: 500 } }],
    [
      { depth: 2, maxCredits: 9 },
      { credits: { worst: 9, basis: 'maxCredits' }, pages: { atLeast: 1, atMost: 9 } },
    ],
  ])('of a map with %j rests on the pages that it reads', async (options, expected) => {
    const found = await estimate({ url, ...options });
    expect(found).toMatchObject({ of: 'map', ...expected });
    expect('expected' in found.credits).toBe('expected' in (expected as { credits: object }).credits);
    expect(found.problems).toEqual([expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })]);
  });

  it('of a map is refused as the map itself', async () => {
    const body = { url, sitemap: 'skip', depth: 0 };
    const [asked, estimated] = [await post('/v1/map', body), await post('/v1/estimate', body)];
    expect([estimated.status, estimated.json.error.details]).toEqual([400, asked.json.error.details]);
    const wrong = await post('/v1/estimate', { url, depth: 2, render: true });
    expect(wrong.json.error.details).toEqual([expect.objectContaining({ path: 'render' })]);
  });

  it('of a job counts equal URLs once', async () => {
    expect(await estimate({ urls, antiBot: false })).toEqual({
      of: 'job',
      pages: { atLeast: 2, atMost: 2 },
      problems: [],
      credits: { worst: 2, expected: 2, basis: 'urls' },
    });
    expect(await estimate({ urls, render: 'auto' })).toMatchObject({
      pages: { atLeast: 3, atMost: 3 },
      credits: { worst: 15, expected: 3 },
    });
  });

  it('of a job rests on maxCredits where that is lower', async () => {
    expect(await estimate({ urls, render: 'auto', maxCredits: 11 })).toMatchObject({
      of: 'job',
      pages: { atLeast: 2, atMost: 3 },
      credits: { worst: 11, expected: 3, basis: 'maxCredits' },
    });
    expect(await estimate({ urls, cron, maxCredits: 1 })).toMatchObject({
      pages: { atLeast: 1, atMost: 1 },
      credits: { worst: 1, expected: 1, basis: 'maxCredits' },
    });
  });

  it('of a crawl rests on its limit, or on maxCredits where that is lower', async () => {
    expect(await estimate({ urls, crawl: {} })).toEqual({
      of: 'crawl',
      pages: { atLeast: 2, atMost: 1000 },
      problems: [],
      credits: { worst: 1000, basis: 'limit' },
    });
    const crawl = { limit: 100, maxCredits: 40 };
    expect(await estimate({ urls: [url], render: 'auto', crawl })).toMatchObject({
      pages: { atLeast: 1, atMost: 36 },
      credits: { worst: 40, basis: 'maxCredits' },
    });
    expect(await estimate({ urls: [url], crawl: { limit: 10, maxCredits: 400 } })).toMatchObject({
      pages: { atLeast: 1, atMost: 10 },
      credits: { worst: 10, basis: 'limit' },
    });
  });

  it('of a schedule is that of one run', async () => {
    expect(await estimate({ urls, cron })).toMatchObject({
      of: 'schedule',
      pages: { atLeast: 2, atMost: 2 },
      problems: [],
      credits: { worst: 2, expected: 2, basis: 'urls' },
      runsPerDay: expect.any(Number),
    });
    expect(await estimate({ url, cron, crawl: { limit: 7 } })).toMatchObject({
      of: 'schedule',
      credits: { worst: 7, basis: 'limit' },
    });
  });

  it('names what would make the request fail', async () => {
    const { key: poor } = await bed.createKey({ balance: 3 });
    expect((await estimate({ url, antiBot: true }, poor)).problems).toEqual([
      {
        code: 'INSUFFICIENT_CREDITS',
        message: 'The account has too few credits: this may cost 15, and the balance is 3.',
        suggestion: expect.stringContaining('keys -- credit'),
      },
    ]);
    expect((await estimate({ urls: [url], crawl: {} }, poor)).problems).toMatchObject([
      { code: 'INSUFFICIENT_CREDITS', message: expect.stringContaining('It starts, and stops when') },
    ]);
    for (const body of [{ url }, { urls: [url] }, { url, cron }]) {
      expect((await estimate({ ...body, render: true }, poor)).problems).toMatchObject([
        { code: 'INSUFFICIENT_CREDITS' },
        { code: 'SERVICE_UNAVAILABLE', message: 'No browser worker is running.' },
      ]);
    }
  });

  it('names a channel that is missing for the rules of a schedule', async () => {
    const body = { url, cron, selectors: { title: 'h1' }, notify: [ruleOf('title')] };
    expect((await estimate(body)).problems).toMatchObject([{ code: 'CHANNEL_NOT_FOUND' }]);
  });

  it('asks for the scope of the request', async () => {
    const { key: scoped } = await bed.createKey({ scopes: ['jobs'] });
    expect(await estimate({ urls }, scoped)).toMatchObject({ of: 'job' });
    for (const body of [{ url }, { url, cron }]) {
      const { status, json } = await post('/v1/estimate', body, scoped);
      expect([status, json.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it.each<[string, object]>([
    ['/v1/scrape', {}],
    ['/v1/scrape', { url, look: true }],
    ['/v1/scrape', { url: 'http://10.0.0.1/' }],
    ['/v1/scrape', { url, selectors: { a: '..' }, timeout: 1 }],
    ['/v1/scrape', { url, proxy: 'de' }],
    ['/v1/scrape', { url, waitFor: 10, maxCredits: 4 }],
    ['/v1/jobs', { urls: [url, 'ftp://a/', 'http://10.0.0.1/'] }],
    ['/v1/jobs', { urls: [url], render: true, maxCredits: 4 }],
    ['/v1/jobs', { urls: [url], crawl: {}, maxCredits: 4 }],
    ['/v1/schedules', { url, cron, screenshot: true, maxCredits: 4 }],
    ['/v1/jobs', { urls: [], name: 5 }],
    ['/v1/jobs', { urls: ['ftp://a/', 7], render: 'no' }],
    ['/v1/jobs', { urls: [url], crawl: { limit: 6000, include: [{ regex: '(' }] } }],
    ['/v1/schedules', { url, cron: 7 }],
    ['/v1/schedules', { url, urls, cron }],
    ['/v1/schedules', { cron, crawl: { limit: 0 } }],
    ['/v1/schedules', { url: 'http://10.0.0.1/', cron }],
    ['/v1/schedules', { url, cron, selectors: { title: 'h1' }, notify: [ruleOf('titel')] }],
  ])('refuses like %s the body %j', async (path, body) => {
    const [own, real] = [await post('/v1/estimate', body), await post(path, body)];
    const { requestId: _own, ...error } = own.json.error;
    const { requestId: _real, ...expected } = real.json.error;
    expect(own.status).toBe(400);
    expect(error).toEqual(expected);
  });

  describe('with a look', () => {
    const maps: MapCommand[] = [];
    const robots = { kind: 'robots', url: `${url}robots.txt`, found: 1 };
    let answer: (command: MapCommand) => Partial<MapResult> | AppError;
    const page = (source: object = {}) => ({ kind: 'page', url, found: 3, ...source });
    const pageThat = (source: object) => () => ({ sources: [robots, page(source)] as MapSource[] });
    const look = (body: object, by = key) => post('/v1/estimate?look=true', body, by);
    const estimateOf = async (body: object) => (await look(body)).json.estimate;

    beforeAll(async () => {
      bed.broker.respond(
        'maps.commands',
        async ({ body }) => {
          maps.push(body);
          const found = answer(body);
          if (found instanceof AppError) throw found;
          const result = { urls: [], sources: [], complete: true, ...found };
          return { mapJson: JSON.stringify(result), pages: 1 };
        },
        { concurrency: 10 },
      );
      answer = pageThat({});
      // The gateway counts the consumers of a queue once a second.
      await eventually(async () => expect((await look({ url })).status).toBe(200));
    });
    beforeEach(() => {
      maps.length = 0;
      answer = pageThat({});
    });

    it('fetches pages from all over a list, those with GET alone, and charges nothing', async () => {
      const { key: fresh } = await bed.createKey({ balance: 500 });
      const pages = Array.from({ length: 101 }, (_, index) => `${url}${index}`);
      const { json } = await look({ urls: [...pages, pages[0]] }, fresh);
      const asked = { depth: 1, sitemap: 'skip' };
      expect(maps.map(({ request }) => request)).toEqual(
        [0, 25, 50, 75, 100].map((index) => expect.objectContaining({ ...asked, url: `${url}${index}` })),
      );
      expect(new Set(maps.map(({ requestId }) => requestId)).size).toBe(5);
      expect(json.estimate.look).toEqual({ sources: Array(5).fill([robots, page()]).flat(), complete: true });
      const { json: after } = await call(`${gateway.url}/v1/usage`, { key: fresh });
      expect(after.usage).toMatchObject({ used: 0, reserved: 0 });
      maps.length = 0;
      expect((await estimateOf({ url, json: { a: 1 } })).look).toEqual({ sources: [], complete: true });
      expect(maps).toEqual([]);
    });

    it.each<[string, object, object, object]>([
      ['content', {}, { render: 'auto' }, { worst: 5, expected: 1 }],
      ['a shell', { verdict: 'shell' }, { render: 'auto' }, { worst: 5, expected: 5 }],
      ['a shell', { verdict: 'shell' }, {}, { worst: 1, expected: 1 }],
      [
        'a wall',
        { error: { code: 'BLOCKED', message: 'No.' } },
        { antiBot: true },
        { worst: 15, expected: 15 },
      ],
      ['a wall', { error: { code: 'BLOCKED', message: 'No.' } }, {}, { worst: 1, expected: 0 }],
      ['nothing', { error: { code: 'NOT_FOUND', message: 'Gone.' } }, {}, { worst: 1, expected: 0 }],
    ])('expects the cost of %s %j with %j', async (_kind, source, options, credits) => {
      answer = pageThat(source);
      expect((await estimateOf({ url, ...options })).credits).toMatchObject(credits);
    });

    it('counts the URLs of a crawl, within its limit', async () => {
      answer = ({ request }) => ({
        urls: ['', 'a', 'b'].map((path) => ({ url: url + path })).concat({ url: `${request.url}c` }),
        ...pageThat({})(),
      });
      const include = ['/a/**'];
      const body = { urls: [url, `${url}2`], crawl: { include, limit: 500 } };
      const { credits, look: found } = await estimateOf(body);
      expect([credits, found.urls]).toEqual([{ worst: 500, expected: 5, basis: 'limit' }, 5]);
      expect(maps[0]?.request).toEqual({ url, depth: 1, include, limit: 500 });
      const { credits: few } = await estimateOf({ ...body, crawl: { limit: 2 } });
      expect(few).toMatchObject({ expected: 2 });
    });

    it('names errors that the request would meet, and no others', async () => {
      const denied = { error: { code: 'ROBOTS_DENIED', message: 'Not allowed.' } };
      answer = pageThat(denied);
      expect((await estimateOf({ url })).problems).toEqual([]);
      expect((await estimateOf({ urls: [url], crawl: {} })).problems).toMatchObject([
        { code: 'ROBOTS_DENIED', message: `${url}: Not allowed.`, suggestion: expect.any(String) },
      ]);
      const gone = { code: 'NOT_FOUND', message: `The site answered 404 Not Found for ${url}.` };
      answer = pageThat({ error: gone });
      expect((await estimateOf({ url })).problems).toMatchObject([gone]);
      answer = () => new AppError('UPSTREAM_ERROR', { message: 'The host has no address.' });
      expect(await estimateOf({ url })).toMatchObject({
        problems: [{ code: 'UPSTREAM_ERROR' }],
        look: {
          sources: [{ kind: 'page', url, error: { code: 'UPSTREAM_ERROR' } }],
          complete: false,
        },
      });
    });

    it('counts as a scrape against the rate limit, and one without it as a read', async () => {
      const limits = [await look({ url }), await post('/v1/estimate', { url })];
      expect(limits.map(({ headers }) => headers['ratelimit-limit'])).toEqual(['100', '1000']);
      expect((await post('/v1/estimate?look=yes', { url })).status).toBe(400);
    });
  });

  it('creates and fetches nothing', async () => {
    for (const body of [{ url }, { urls }, { url, cron }]) await estimate(body);
    expect(worker.commands).toEqual([]);
    const { key: fresh } = await bed.createKey({ balance: 5 });
    await estimate({ url }, fresh);
    const { json } = await call(`${gateway.url}/v1/usage`, { key: fresh });
    expect(json.usage).toMatchObject({ used: 0, reserved: 0, remaining: 5 });
  });
});
