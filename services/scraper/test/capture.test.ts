import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Capture, ScrapeRequest } from '@gleaner/contracts';
import { type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import puppeteer, { type Browser } from 'puppeteer-core';
import { openBrowserFolder } from '../src/browser/process/browser-folder.ts';
import { findChromium } from '../src/browser/process/find-chromium.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const OFFERS = {
  items: [
    { name: 'Kettle', price: '12.50' },
    { name: 'Teapot', price: '9.90' },
  ],
};
/** Limit of what puppeteer waits for. */
const LIMIT_MS = 240_000;
/** JSON with a number that programs round, and with spaces to lose. */
const EXACT = '{ "id": 12345678901234567890, "price": 1.50 }';
/** JSON with line breaks between its values, escapes of them in its texts, and a half beside a whole pair of surrogates. */
const LINES =
  '\r\n{\r\n  "id": 12345678901234567890,\n\t"text": "a\\r\\n  b \\\\\\ud83d \\ud83d\\ude00 \\ude00",\r  "none": [\n  ]\n}\n';

/** Scripts of pages, by path. */
const SCRIPTS: Readonly<Record<string, string>> = {
  '/shop': `fetch('/api/offers?page=1&api_key=hush'); fetch('/api/exact', {method: 'POST', body: '{}'});
    const old = new XMLHttpRequest(); old.open('GET', '/api/old'); old.send(); fetch('/style.css')`,
  '/cached': `(async () => { for (const n of [1, 2, 3]) await (await fetch('/api/cached')).text();
    await (await fetch('/api/etag')).text(); await (await fetch('/api/etag', {cache: 'no-cache'})).text() })()`,
  '/worker': `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
    .then(() => new Promise((done) => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.addEventListener('controllerchange', done)))
    .then(() => fetch('/api/from-worker'))`,
  '/streams': `new EventSource('/events'); fetch('/endless')`,
  '/late': `setTimeout(() => fetch('/api/late'), 700)`,
  '/many': `(async () => { for (let n = 0; n < 10000; n += 100)
    await Promise.all(Array.from({length: 100}, (_, k) => fetch('data:,' + (n + k)).then(() => n % 1000 ? 0 : fetch('/api/n?' + (n + k))))) })()`,
  '/unread': `fetch('/api/unread'); fetch('/api/unread-chunked')`,
  '/huge': `fetch('/bomb').then((answer) => answer.text()).catch(() => {}); fetch('/large')`,
  '/binary': `fetch('/api/image'); fetch('/api/none'); fetch('/api/missing'); fetch('/api/moved'); fetch('/api/deep')`,
  '/lines': `fetch('/api/lines')`,
};

const serve: Parameters<typeof startSite>[0] = async ({ url, request, response }) => {
  const { pathname } = url;
  const json = (body: string, headers: Record<string, string> = {}) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
  const script = SCRIPTS[pathname];
  if (script !== undefined) {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Page</title><h1>Page</h1><script>${script}</script>`);
  } else if (pathname === '/api/offers') {
    const body = gzipSync(JSON.stringify(OFFERS));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  } else if (pathname === '/api/exact') {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    for (const part of EXACT.match(/.{1,9}/gs) ?? []) {
      response.write(part);
      await sleep(5);
    }
    response.end();
  } else if (pathname === '/api/unread') {
    const body = JSON.stringify(OFFERS);
    json(body, { 'cache-control': 'no-store', 'content-length': String(body.length) });
  } else if (pathname === '/api/unread-chunked') {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.write(JSON.stringify(OFFERS).slice(0, 20));
    response.end(JSON.stringify(OFFERS).slice(20));
  } else if (pathname === '/api/cached') json('{"cached":1}', { 'cache-control': 'max-age=600' });
  else if (pathname === '/api/etag') {
    if (request.headers['if-none-match']) response.writeHead(304).end();
    else json('{"etag":1}', { etag: '"a"', 'cache-control': 'max-age=600' });
  } else if (pathname === '/sw.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(`addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      addEventListener('fetch', (event) => { if (event.request.url.endsWith('/api/from-worker')) event.respondWith(new Response('{"worker":1}', {headers: {'content-type': 'application/json'}})) })`);
  } else if (pathname === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"n":1}\n\n');
  } else if (pathname === '/endless') {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('first line\n');
  } else if (pathname === '/bomb') {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(BOMB);
  } else if (pathname === '/large') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('é'.repeat(700_000));
  } else if (pathname === '/api/image') {
    response.writeHead(200, { 'content-type': 'image/x-test' }).end(Buffer.from([0, 255, 128]));
  } else if (pathname === '/api/none') response.writeHead(204).end();
  else if (pathname === '/api/missing') response.writeHead(404, { 'content-type': 'text/plain' }).end('gone');
  else if (pathname === '/api/moved') response.writeHead(302, { location: '/api/old' }).end();
  else if (pathname === '/api/lines') json(LINES);
  else if (pathname === '/api/deep') json('['.repeat(5000) + ']'.repeat(5000));
  else json(JSON.stringify({ path: pathname }));
};

/** A gigabyte of zeros. */
const BOMB = (() => {
  const part = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  return Buffer.concat(Array.from({ length: 16 }, () => part));
})();

await describeWithBrowser('captured responses', (settings) => {
  let scraper: TestScraper;
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = await startSite(serve);
    const EGRESS_ALLOW = `127.0.0.1:${new URL(site.origin).port}`;
    scraper = await startTestScraper({ ...settings, EGRESS_ALLOW });
    const prepare = await findChromium(settings.CHROMIUM_PATH);
    const { path, env } = await prepare(await openBrowserFolder(undefined));
    browser = await puppeteer.launch({
      executablePath: path,
      args: ['--no-sandbox'],
      env,
      timeout: LIMIT_MS,
    });
  });
  afterAll(async () => {
    await browser.close();
    await scraper[Symbol.asyncDispose]();
    await site.close();
  });

  async function capture(path: string, rules: Capture, options: Partial<ScrapeRequest> = {}) {
    const reply = await scraper.scrape({ url: site.origin + path, capture: rules, ...options });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { capturedJson = '{}', dataJson = '{}', warnings, engine } = reply.result;
    return { capturedJson, captured: JSON.parse(capturedJson), data: JSON.parse(dataJson), warnings, engine };
  }

  /** Loads a page with puppeteer; returns the URL and the body of each response that it sees below /api. */
  async function seenByPuppeteer(path: string): Promise<[string, string][]> {
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    const reading: Promise<[string, string]>[] = [];
    const isApi = (url: string) => new globalThis.URL(url).pathname.startsWith('/api/');
    page.on('response', (answer) => {
      if (!isApi(answer.url())) return;
      reading.push(
        answer.text().then(
          (text) => [answer.url(), text],
          () => [answer.url(), ''],
        ),
      );
    });
    // A worker may ask after the page has been idle.
    const first = page.waitForResponse((answer) => isApi(answer.url()));
    await page.goto(site.origin + path, { waitUntil: 'networkidle0' });
    await first;
    const seen = await Promise.all(reading);
    await page.close();
    return seen.filter(([, text]) => text !== '');
  }

  it.each(['/shop', '/cached', '/worker', '/binary'])('are those that puppeteer sees on %s', async (path) => {
    const wait = path === '/worker' ? 1 : 0;
    const { captured } = await capture(path, { all: { url: '**/api/**', wait } });
    const own = captured.all.flatMap((each: { url: string; json?: unknown; text?: string }) => {
      const { url, json, text } = each;
      if (json === undefined && text === undefined) return [];
      return [[new globalThis.URL(url).pathname, text ?? JSON.stringify(json)]];
    });
    const theirs = (await seenByPuppeteer(path))
      .filter(([url]) => !url.endsWith('/api/image'))
      .map(([url, text]) => [
        new globalThis.URL(url).pathname,
        text === EXACT ? JSON.stringify(JSON.parse(EXACT)) : text,
      ]);
    expect(own.toSorted()).toEqual(theirs.toSorted());
    expect(own.length).toBeGreaterThan(0);
  });

  it('come with method, status and type, in the order of their requests, and unchanged', async () => {
    const { captured, capturedJson, engine } = await capture('/shop', {
      offers: { url: '**/api/offers*', wait: 1 },
      posts: { url: '**', method: 'POST' },
      xhr: { url: '/api/*', types: ['xhr'] },
    });
    expect(engine).toBe('browser');
    expect(captured).toEqual({
      offers: [
        {
          url: `${site.origin}/api/offers?page=1&api_key=[redacted]`,
          method: 'GET',
          status: 200,
          contentType: 'application/json',
          json: OFFERS,
        },
      ],
      posts: [expect.objectContaining({ method: 'POST', contentType: 'application/json; charset=utf-8' })],
      xhr: [expect.objectContaining({ json: { path: '/api/old' } })],
    });
    expect(capturedJson).toContain(`"json":${EXACT}`);
  });

  it('are JSON on one line and of whole characters, with the digits of the page', async () => {
    const { capturedJson, data } = await capture(
      '/lines',
      { lines: { url: '/api/lines', wait: 1 } },
      { selectors: { text: { from: 'lines', json: '$.text' } } },
    );
    expect(capturedJson).toContain(
      '"json":{"id": 12345678901234567890,"text": "a\\r\\n  b \\\\\\ufffd \\ud83d\\ude00 \\ufffd","none": []}',
    );
    expect(data.text).toBe('a\r\n  b \\\uFFFD 😀 \uFFFD');
  });

  it('are read by selectors, with types and records', async () => {
    const { data, warnings } = await capture(
      '/shop',
      { offers: { url: '**/api/offers*', wait: 1 }, none: { url: '/none' } },
      {
        selectors: {
          heading: 'h1',
          offers: {
            from: 'offers',
            json: '$.items[*]',
            all: true,
            fields: { name: { json: '$.name' }, price: { json: '$.price', type: 'number' } },
          },
          first: { from: 'offers', json: '$.items[0].name' },
          missing: { from: 'none', json: '$.x' },
        },
      },
    );
    expect(data).toEqual({
      heading: 'Page',
      offers: [
        { name: 'Kettle', price: 12.5 },
        { name: 'Teapot', price: 9.9 },
      ],
      first: 'Kettle',
      missing: null,
    });
    expect(warnings).toMatchObject([
      { field: 'missing', code: 'NOT_JSON', message: 'No response of "none" was captured.' },
    ]);
  });

  it('are waited for, and a wait that is not met says what was asked for and what came', async () => {
    const { captured } = await capture('/late', { late: { url: '/api/late', wait: 1 } });
    expect(captured.late).toHaveLength(1);
    const unmet = 'waiting for 2 responses of the capture "more": 1 came for "/api/offers?page=*"';
    const request = {
      url: `${site.origin}/shop`,
      capture: { more: { url: '/api/offers?page=*', wait: 2 } },
    };
    const reply = await scrapeBriefly(
      (timeoutMs) => scraper.scrape(request, { timeoutMs }),
      6000,
      ({ failure }) => failure.message.includes(unmet),
    );
    expect(reply).toMatchObject({
      ok: false,
      failure: {
        code: 'TIMEOUT',
        message: expect.stringContaining(unmet),
        suggestion: expect.stringContaining('developer tools'),
      },
    });
  });

  it('are whole, and met by a wait, if the page does not read a body that must not be stored', async () => {
    const { captured } = await capture('/unread', {
      unread: { url: '/api/unread', wait: 1 },
      chunked: { url: '/api/unread-chunked', wait: 1 },
    });
    expect(captured.unread).toEqual([expect.objectContaining({ json: OFFERS })]);
    expect(captured.unread[0]).not.toHaveProperty('truncated');
    // Chromium does not tell whether more would come.
    expect(captured.chunked).toEqual([expect.objectContaining({ json: OFFERS, truncated: true })]);
  });

  it('have other bodies as text or base64, and deep JSON as text', async () => {
    const { captured } = await capture('/binary', { all: { url: '/api/**' } });
    const byPath = Object.fromEntries(
      captured.all.map((each: { url: string }) => [new globalThis.URL(each.url).pathname, each]),
    );
    expect(byPath['/api/image']).toMatchObject({ base64: 'AP+A', contentType: 'image/x-test' });
    expect(byPath['/api/none']).toMatchObject({ status: 204 });
    expect(byPath['/api/none'].truncated).toBeUndefined();
    expect(byPath['/api/missing']).toMatchObject({ status: 404, text: 'gone' });
    expect(byPath['/api/old']).toMatchObject({ status: 200, json: { path: '/api/old' } });
    expect(byPath['/api/deep'].text).toHaveLength(10_000);
  });

  it('have the beginning of what does not end', async () => {
    const { captured } = await capture('/streams', {
      events: { url: '/events', types: ['eventsource'], wait: 1 },
      endless: { url: '/endless' },
    });
    expect(captured.events).toMatchObject([{ contentType: 'text/event-stream', truncated: true }]);
    expect(captured.endless).toMatchObject([{ status: 200, text: 'first line\n', truncated: true }]);
  });

  it('are bounded in size, whatever a page loads', async () => {
    const { captured, capturedJson } = await capture('/huge', { all: { url: '/**' } });
    const byPath = Object.fromEntries(
      captured.all.map((each: { url: string }) => [new globalThis.URL(each.url).pathname, each]),
    );
    expect(byPath['/bomb']).toMatchObject({ truncated: true });
    expect(byPath['/bomb'].text ?? '').toHaveLength(0);
    expect(Buffer.byteLength(byPath['/large'].text)).toBeLessThanOrEqual(1024 * 1024);
    expect(byPath['/large'].truncated).toBe(true);
    expect(capturedJson.length).toBeLessThan(2 * 1024 * 1024);
  });

  it('are bounded in number', async () => {
    const { captured } = await capture('/many', { n: { url: '/api/n*', limit: 5 } });
    expect(captured.n).toHaveLength(5);
  });
});
