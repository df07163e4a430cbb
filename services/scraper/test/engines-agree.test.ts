import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Wait that the next document ends, however late it comes. */
const LONG_MS = 60_000;

await describeWithBrowser('both engines', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it.each([true, false])('refuse a redirect to a URL with credentials (render: %s)', async (render) => {
    const to = `http://user:secret@127.0.0.1:${scraper.origin.port}/`;
    const reply = await scraper.scrape({ url: `/redirect/302?to=${encodeURIComponent(to)}`, render });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'INVALID_URL', message: expect.stringContaining('a user name or a password') },
    });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  it.each([
    ['127.0.0.1', 'a=1'],
    ['.127.0.0.1', 'a=1'],
    ['.0.0.1', undefined],
    ['0.0.1', undefined],
    ['::1', undefined],
    ['10.0.0.1', undefined],
    ['.example.com', undefined],
  ])('send a cookie of the domain %s to 127.0.0.1 as %s', async (domain, cookie) => {
    for (const render of [true, false]) {
      const url = htmlPath(`<p>${domain} ${render}`);
      const reply = await scraper.scrape({ url, render, cookies: [{ name: 'a', value: '1', domain }] });
      expect(reply).toMatchObject({ ok: true });
      const request = scraper.origin.requests.find((seen) => seen.url === url);
      expect(request?.headers.cookie).toBe(cookie);
    }
  });
});

await describeWithBrowser('a page that goes to another URL after it has loaded', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  function goingTo(target: string, afterMs: number): string {
    return htmlPath(
      `<script>setTimeout(() => { location.href = ${JSON.stringify(target)} }, ${afterMs})</script>`,
    );
  }

  it.each([
    ['http://169.254.169.254/latest/', '169.254.169.254'],
    ['http://127.0.0.1:1/', 'Port 1 '],
    ['http://localhost:9999/', 'localhost'],
    ['https://10.0.0.1/', '10.0.0.1'],
  ])('is refused with the host when it goes to %s', async (target, named) => {
    for (const [afterMs, waitFor] of [
      [0, LONG_MS],
      [400, LONG_MS],
      [400, '.never'],
    ] as const) {
      const reply = await scraper.scrape({ url: goingTo(target, afterMs), waitFor });
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'INVALID_URL', message: expect.stringContaining(named) },
      });
    }
  });

  it('is refused when the URL has credentials in it', async () => {
    const target = `http://user:secret@127.0.0.1:${scraper.origin.port}/`;
    const reply = await scraper.scrape({ url: goingTo(target, 400), waitFor: LONG_MS });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'INVALID_URL' } });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  it.each([
    ['http://does-not-exist.invalid/', 'UPSTREAM_ERROR', 'does-not-exist.invalid'],
    ['/reset/before-headers', 'UPSTREAM_ERROR', '127.0.0.1'],
  ])('fails with the reason when %s cannot be loaded', async (target, code, named) => {
    const reply = await scraper.scrape({ url: goingTo(target, 400), waitFor: LONG_MS });
    expect(reply).toMatchObject({ ok: false, failure: { code, message: expect.stringContaining(named) } });
    expect(JSON.stringify(reply)).not.toContain('chrome-error');
  });
});
