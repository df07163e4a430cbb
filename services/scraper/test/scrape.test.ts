import type { ErrorCode, ScrapeResult } from '@gleaner/contracts';
import { eventually, typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

let scraper: TestScraper;

beforeAll(async () => {
  scraper = await startTestScraper();
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
});

/** Returns the result of a scrape that must succeed. */
async function resultOf(...args: Parameters<TestScraper['scrape']>): Promise<ScrapeResult> {
  const reply = await scraper.scrape(...args);
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  return reply.result;
}

describe('a scrape', () => {
  it('returns the requested values with their metadata', async () => {
    const result = await resultOf({
      url: '/',
      selectors: {
        heading: 'h1',
        prices: '.price::text::all',
        products: {
          selector: '.product',
          all: true,
          fields: { name: 'a', link: { selector: 'a::attr(href)', absolute: true } },
        },
        missing: '.nowhere',
      },
    });
    expect(JSON.parse(result.dataJson ?? '')).toEqual({
      heading: 'An honest shop',
      prices: ['19.90', '24.50'],
      products: [
        { name: 'Kettle', link: `${scraper.origin.url}/product/1` },
        { name: 'Teapot', link: `${scraper.origin.url}/product/2` },
      ],
      missing: null,
    });
    expect(result.warnings).toEqual([
      expect.objectContaining({ field: 'missing', code: 'SELECTOR_NO_MATCH' }),
    ]);
    expect(result).toMatchObject({
      statusCode: 200,
      engine: 'http',
      price: { base: 1 },
      finalUrl: `${scraper.origin.url}/`,
    });
    expect(result.attempts).toEqual([
      {
        engine: 'http',
        statusCode: 200,
        outcome: 'success',
        durationMs: expect.any(Number),
        startedAtMs: expect.any(Number),
        stages: expect.objectContaining({ connect: expect.any(Number), parse: expect.any(Number) }),
      },
    ]);
  });

  it('describes the page when no selectors are given', async () => {
    const { dataJson } = await resultOf({ url: '/' });
    expect(JSON.parse(dataJson ?? '')).toMatchObject({
      title: 'An honest shop',
      links: [`${scraper.origin.url}/product/1`, `${scraper.origin.url}/product/2`],
    });
  });

  it.each(['text/plain', 'application/json', 'text/markdown'])(
    'gives what came as %s as it stands, as a browser shows it',
    async (type) => {
      const text = '{"html": "<h1>x</h1> &amp; more"}';
      const { dataJson } = await resultOf({
        url: typedPath(type, text),
        selectors: { heading: 'h1', all: 'pre' },
      });
      expect(JSON.parse(dataJson ?? '')).toEqual({ heading: null, all: text });
    },
  );

  it('sends the headers and the cookies of the request', async () => {
    await resultOf({
      url: '/product/7',
      headers: { 'X-Test': 'yes' },
      cookies: [{ name: 'basket', value: 'full' }],
    });
    const [request] = scraper.origin.requestsTo('/product/7');
    expect(request?.headers).toMatchObject({ 'x-test': 'yes', cookie: 'basket=full' });
  });

  it('follows redirects', async () => {
    const result = await resultOf({ url: '/redirect-times/3' });
    expect(result.statusCode).toBe(200);
    expect(result.finalUrl).not.toContain('redirect-times/3');
  });
});

describe('a scrape that fails', () => {
  it.each<[string, ErrorCode]>([
    ['/status/404', 'NOT_FOUND'],
    ['/status/410', 'NOT_FOUND'],
    ['/status/401', 'BLOCKED'],
    ['/status/403', 'BLOCKED'],
    ['/status/451', 'BLOCKED'],
    ['/status/418', 'UPSTREAM_ERROR'],
    ['/blocked/cloudflare-challenge', 'BLOCKED'],
    ['/rate-limited', 'RATE_LIMITED'],
    ['/failing/404/long-by-length', 'NOT_FOUND'],
    ['/failing/404/gzip-broken', 'NOT_FOUND'],
    ['/failing/404/cut', 'NOT_FOUND'],
    ['/failing/403/endless', 'BLOCKED'],
    ['/failing/403/stall', 'BLOCKED'],
    ['/failing/503/stall', 'UPSTREAM_ERROR'],
    ['/reset/before-headers', 'UPSTREAM_ERROR'],
    ['/redirect-loop', 'UPSTREAM_ERROR'],
    ['/garbage/bytes', 'UPSTREAM_ERROR'],
    ['/bomb/br', 'UNSUPPORTED_CONTENT'],
    ['/endless', 'UNSUPPORTED_CONTENT'],
    ['http://127.0.0.1:1/', 'INVALID_URL'],
    ['http://169.254.169.254/latest/meta-data/', 'INVALID_URL'],
  ])('reports %s as %s, with the attempt', async (url, code) => {
    const reply = await scraper.scrape({ url }, { timeoutMs: 240_000 });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code },
      attempts: [{ engine: 'http', outcome: code }],
    });
  });

  it('reports how long to wait, even if the body fails', async () => {
    const reply = await scraper.scrape({ url: '/failing/429/stall?retry-after=30' }, { timeoutMs: 240_000 });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } });
  });

  it('names the stage in which the time ran out', async () => {
    const scrapeUntil = (stage: string, url: string) =>
      scrapeBriefly(
        (timeoutMs) => scraper.scrape({ url }, { timeoutMs }),
        1000,
        ({ failure }) => failure.message.includes(stage),
      );
    const waiting = await scrapeUntil('waiting for the first byte', '/stall/before-headers');
    const reading = await scrapeUntil('reading the body', '/stall/mid-body');
    expect(waiting).toMatchObject({
      ok: false,
      failure: { code: 'TIMEOUT', message: expect.stringContaining('waiting') },
      attempts: [{ stages: { firstByte: expect.any(Number) } }],
    });
    expect(reading).toMatchObject({
      ok: false,
      failure: { code: 'TIMEOUT', message: expect.stringContaining('reading') },
    });
  });

  it('rejects an invalid selector before anything is fetched', async () => {
    const reply = await scraper.scrape({ url: '/product/99', selectors: { title: 'h2 >' } });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'INVALID_SELECTOR', details: [{ path: 'selectors.title' }] },
    });
    expect(scraper.origin.requestsTo('/product/99')).toEqual([]);
  });
});

describe('a scrape whose caller has gone', () => {
  it('is ended when its request is cancelled', async () => {
    const reply = scraper.scrape(
      { url: '/stall/before-headers?cancel' },
      { timeoutMs: 240_000, requestId: 'req_gone' },
    );
    await eventually(() =>
      expect(scraper.origin.requests.some(({ url }) => url.endsWith('?cancel'))).toBe(true),
    );
    await scraper.cancel('req_gone');
    expect(await reply).toMatchObject({
      ok: false,
      failure: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('caller') },
    });
  });
});
