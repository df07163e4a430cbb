import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Firecrawl from 'firecrawl';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let test: TestStack;
let shop: string;
let firecrawl: Firecrawl;

beforeAll(async () => {
  test = await joinStack();
  shop = test.stack.demoUrl;
  firecrawl = new Firecrawl({ apiUrl: test.stack.url, apiKey: test.stack.apiKey });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const FAST = { pollInterval: 1, timeout: 300 };

/** Returns the error that a call of the SDK is rejected with. */
async function errorOf(call: Promise<unknown>): Promise<object> {
  return await call.then(
    () => ({}),
    (error: object) => error,
  );
}

describe('the SDK of Firecrawl, as it is', () => {
  it('runs the example of the page for those who come from Firecrawl', async () => {
    const page = await readFile(join(ROOT, 'docs/coming-from.md'), 'utf8');
    const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const program = example
      .replace("import Firecrawl from 'firecrawl';", '')
      .replaceAll('http://127.0.0.1:8080', test.stack.url)
      .replaceAll('http://127.0.0.1:8090/', shop);
    const printed: unknown[] = [];
    const run = new Function('Firecrawl', 'process', 'console', `return (async () => {${program}})()`);
    const env = { GLEANER_API_KEY: test.stack.apiKey };
    await run(Firecrawl, { env }, { log: (...values: unknown[]) => printed.push(...values) });
    expect(printed).toEqual([expect.stringContaining('Emma'), 'completed', 5]);
  });

  it('scrapes a page in every format', async () => {
    const page = await firecrawl.scrape(`${shop}books/emma`, {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images'],
    });
    expect(page).toMatchObject({
      markdown: expect.stringMatching(/^# Emma$/m),
      html: expect.stringContaining('<h1'),
      rawHtml: expect.stringMatching(/^<html[\s\S]*<head/),
      links: expect.arrayContaining([expect.stringContaining(shop)]),
      metadata: { sourceURL: `${shop}books/emma`, statusCode: 200, creditsUsed: 1 },
    });
    expect(page.rawHtml?.length).toBeGreaterThan(page.html?.length ?? 0);
  });

  (HAS_BROWSER ? it : it.skip)('acts on a page and takes a screenshot of it', async () => {
    const page = await firecrawl.scrape(`${shop}specials`, {
      formats: ['markdown', { type: 'screenshot', quality: 40, viewport: { width: 400, height: 300 } }],
      actions: [
        { type: 'wait', selector: 'main' },
        { type: 'scroll', direction: 'down' },
      ],
    });
    expect(page.screenshot).toMatch(/^data:image\/jpeg;base64,\/9j\//);
    expect(page.markdown?.length).toBeGreaterThan(0);
  });

  it('reads why a page failed, and what has no equal', async () => {
    expect(await errorOf(firecrawl.scrape(`${shop}gone`))).toMatchObject({
      status: 422,
      code: 'NOT_FOUND',
      message: expect.stringContaining('answered 404'),
    });
    expect(await errorOf(firecrawl.scrape(shop, { formats: ['summary'] }))).toMatchObject({
      status: 400,
      code: 'NOT_SUPPORTED',
      message: expect.stringContaining('has not set up a language model'),
    });
    expect(await errorOf(firecrawl.search('book', { categories: ['github'] }))).toMatchObject({
      status: 400,
    });
  });

  it('searches the web, in both versions, with and without pages', async () => {
    const url = `${shop}books/emma`;
    const found = await firecrawl.search('emma', { limit: 3, tbs: 'qdr:m' });
    expect(found.web).toMatchObject([{ url, title: 'Emma', description: expect.any(String) }]);
    const scrapeOptions = { formats: ['markdown' as const] };
    const { web } = await firecrawl.search('emma', { scrapeOptions });
    expect(web).toMatchObject([
      { markdown: expect.stringMatching(/^# Emma$/m), metadata: { sourceURL: url } },
    ]);
    const { url: apiUrl, apiKey } = test.stack;
    const older = await new Firecrawl({ apiUrl: `${apiUrl}/firecrawl`, apiKey }).v1.search('emma', {});
    expect(older).toMatchObject({ success: true, data: [{ url }] });
    expect(await errorOf(firecrawl.search('forbidden'))).toMatchObject({
      status: 502,
      message: expect.stringContaining('settings.yml'),
    });
  });

  it('scrapes many pages, and lists those that failed', async () => {
    const urls = [shop, `${shop}gone`, 'ftp://example.com/'];
    const job = await firecrawl.batchScrape(urls, { options: { formats: ['markdown'] }, ...FAST });
    expect(job).toMatchObject({ status: 'completed', total: 1, completed: 1 });
    expect(job.data).toMatchObject([{ markdown: expect.any(String), metadata: { sourceURL: shop } }]);
    expect(await firecrawl.getBatchScrapeErrors(job.id ?? '')).toMatchObject({
      errors: [{ url: `${shop}gone`, code: 'NOT_FOUND' }],
    });
  });

  it('crawls the pages that a pattern names', async () => {
    const job = await firecrawl.crawl(shop, {
      limit: 50,
      includePaths: ['^/books/[a-z-]+$'],
      maxDiscoveryDepth: 1,
      sitemap: 'skip',
      scrapeOptions: { formats: ['links'] },
      ...FAST,
    });
    expect(job.status).toBe('completed');
    expect([job.total, job.completed]).toEqual([job.data.length, job.data.length]);
    expect(job.data.length).toBeGreaterThan(3);
    for (const { metadata } of job.data)
      expect(new URL(metadata?.sourceURL ?? '').pathname).toMatch(/^\/books\/[a-z-]+$/);
  });

  it('gets webhooks in the form of Firecrawl, a page each, with headers and signature', async () => {
    await using receiver = await startWebhookReceiver();
    const webhook = { url: receiver.url, headers: { 'X-Token': 'secret' }, metadata: { order: '7' } };
    const urls = [shop, `${shop}books/emma`, `${shop}gone`];
    const { id } = await firecrawl.startBatchScrape(urls, { options: { formats: ['markdown'] }, webhook });
    const bodies = await eventually(() => {
      const received = receiver.deliveries.map(({ json }) => json as { type: string; success: boolean });
      expect(received.map(({ type }) => type).toSorted()).toEqual([
        'batch_scrape.completed',
        ...Array(3).fill('batch_scrape.page'),
        'batch_scrape.started',
      ]);
      return received;
    });
    for (const body of bodies) expect(body).toMatchObject({ id, metadata: { order: '7' } });
    const pages = bodies.filter(({ type }) => type === 'batch_scrape.page');
    expect(pages.filter(({ success }) => !success)).toMatchObject([
      { error: expect.stringContaining('404'), data: [{ metadata: { statusCode: 404 } }] },
    ]);
    expect(pages.filter(({ success }) => success)).toMatchObject([
      { data: [{ markdown: expect.any(String) }] },
      { data: [{ markdown: expect.any(String) }] },
    ]);
    const { secret } = (await test.ask('/v1/webhooks/secret')).json;
    for (const { headers, body } of receiver.deliveries) {
      const hash = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers).toMatchObject({ 'x-token': 'secret', 'x-firecrawl-signature': `sha256=${hash}` });
    }
  });

  it('watches a crawl until it is cancelled', async () => {
    const { id } = await firecrawl.startCrawl(shop, { limit: 1000, delay: 5 });
    expect((await firecrawl.getActiveCrawls()).crawls).toMatchObject([{ id, url: shop }]);
    const watcher = firecrawl.watcher(id, { pollInterval: 1 });
    const seen: string[] = [];
    const scraping = new Promise<void>((then) => {
      watcher.on('snapshot', ({ status }: { readonly status: string }) => {
        seen.push(status);
        then();
      });
    });
    const ended = new Promise((then) => watcher.on('done', then));
    const watching = watcher.start();
    await scraping;
    expect(await firecrawl.cancelCrawl(id)).toBe(true);
    expect(await ended).toMatchObject({ id, status: 'cancelled' });
    await watching;
    expect([seen[0], seen.at(-1)]).toEqual(['scraping', 'cancelled']);
  });

  it('lists the URLs of a site, and knows what the account has', async () => {
    const { links } = await firecrawl.map(shop, { search: 'emma', limit: 5 });
    expect(links).toContainEqual(expect.objectContaining({ url: `${shop}books/emma` }));
    expect((await firecrawl.getCreditUsage()).remainingCredits).toBeGreaterThan(0);
    expect(await firecrawl.getConcurrency()).toMatchObject({ concurrency: expect.any(Number) });
  });
});
