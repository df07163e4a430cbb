import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const FILLING = `<script>document.body.insertAdjacentHTML('beforeend', '<h1>Filled</h1>')</script>`;
/** A page that is empty without scripts, and says so. */
const SHELL = htmlPath(`<body><noscript>Please enable JavaScript.</noscript><div id="root"></div>${FILLING}`);
/** The same, which says nothing. */
const SILENT_SHELL = htmlPath(`<div id="root"></div>${FILLING}`);
const CONTENT = htmlPath(`<h1>Sent</h1><p>With its text.</p>${FILLING}`);

const selectors = { h: 'h1' };
const auto = { render: 'auto', selectors } as const;

async function scrapeAt(scraper: TestScraper, url: string, options: object = auto) {
  const reply = await scraper.scrape({ url, ...options }, { timeoutMs: 240_000 });
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  const { result } = reply;
  return {
    engines: result.attempts.map(({ engine }) => engine),
    data: JSON.parse(result.dataJson ?? 'null'),
    price: result.price,
    page: result.verdict?.page,
    warnings: result.warnings.map(({ code }) => code),
  };
}

await describeWithBrowser('render "auto"', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ ...settings, ANTIBOT_REMEMBER_MS: '0' });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it('fetches a page with content without a browser, and charges no more', async () => {
    expect(await scrapeAt(scraper, CONTENT)).toMatchObject({
      engines: ['http'],
      data: { h: 'Sent' },
      page: 'content',
      price: { base: 1 },
    });
  });

  it.each([
    ['asks for scripts', SHELL, {}],
    ['has nothing but scripts', SILENT_SHELL, {}],
    ['would otherwise fail', SHELL, { onSuspect: 'fail' }],
    ['is asked for with antiBot', SHELL, { antiBot: true }],
    ['lacks a required field', SHELL, { selectors: { h: { selector: 'h1', required: true } } }],
  ])('renders a shell that %s, and charges that', async (_name, url, options) => {
    expect(await scrapeAt(scraper, url, { ...auto, ...options })).toMatchObject({
      engines: ['http', 'browser'],
      data: { h: 'Filled' },
      page: 'content',
      price: { base: 1, render: 4 },
    });
  });

  it('does not climb for a wall without antiBot', async () => {
    const reply = await scraper.scrape({ url: '/wall/cloudflare-challenge/script', ...auto });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'BLOCKED' } });
    expect(reply.ok ? [] : reply.attempts).toHaveLength(1);
  });

  it('begins in the browser where a host needed it, for the account and this option alone', async () => {
    await using remembering = await startTestScraper({ ...settings, ANTIBOT_REMEMBER_MS: '600000' });
    expect(await scrapeAt(remembering, SHELL)).toMatchObject({ warnings: [] });
    expect(await scrapeAt(remembering, CONTENT)).toMatchObject({
      engines: ['browser'],
      warnings: ['RENDER_REMEMBERED'],
    });
    expect(await scrapeAt(remembering, CONTENT, { selectors })).toMatchObject({ engines: ['http'] });
    expect(await scrapeAt(remembering, CONTENT, { selectors, antiBot: true })).toMatchObject({
      engines: ['http'],
      price: { base: 1 },
    });
  });
});

describe('render "auto" without a scraper that renders', () => {
  it('returns the shell, with its verdict', async () => {
    await using scraper = await startTestScraper({ ENGINES: 'http' });
    expect(await scrapeAt(scraper, SHELL)).toMatchObject({
      engines: ['http'],
      page: 'shell',
      price: { base: 1 },
    });
  });
});
