import { rm } from 'node:fs/promises';
import type { ScrapeRequest } from '@gleaner/contracts';
import { eventually, htmlPath } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { browserIn, renderersOf } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { startTestScraper } from './start-test-scraper.ts';

const SETTER = htmlPath("<script>document.cookie = 'a=1'; localStorage.a = 1</script>");
const READER = htmlPath(
  '<h1></h1><script>document.querySelector("h1").textContent = document.cookie + localStorage.length</script>',
);

await describeWithBrowser('a scraper that shares browser contexts', (settings) => {
  /** Renders a page, and expects a number of processes to stay: the spare tab's, and a clean context's. */
  async function expectProcesses(
    count: number,
    request: Partial<ScrapeRequest>,
    own: Record<string, string>,
  ): Promise<void> {
    const folder = await makeBrowserFolder();
    await using scraper = await startTestScraper({ ...settings, ...own, BROWSER_DIR: folder });
    // On a busy machine, a context may not be cleaned in time, and is closed then.
    await eventually(async () => {
      expect(await scraper.scrape({ url: '/', render: true, ...request })).toMatchObject({ ok: true });
      await eventually(
        async () => {
          const { text } = await scraper.metrics.render();
          expect(text).toMatch(/browser_tabs(\{.*\})? 0$/m);
          expect(renderersOf(await browserIn(folder))).toHaveLength(count);
        },
        // Less than an idle context is kept for.
        { timeoutMs: 5000 },
      );
    });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  it.each<[string, Partial<ScrapeRequest>, Record<string, string>, number]>([
    ['keeps a clean context for the next page', {}, {}, 2],
    ['keeps none after freshContext', { freshContext: true }, {}, 1],
    ['keeps none after a page with cookies', { cookies: [{ name: 'a', value: '1' }] }, {}, 1],
    ['keeps none after a page with a session in its headers', { headers: { Authorization: 'x' } }, {}, 1],
    ['keeps none when the operator has switched it off', {}, { BROWSER_SHARE_CONTEXTS: 'false' }, 1],
  ])('%s', async (_name, request, own, count) => {
    await expectProcesses(count, request, own);
  });

  it.each<[string, Partial<ScrapeRequest>]>([
    ['render', {}],
    ['screenshot', { screenshot: true }],
    ['antiBot', { antiBot: true }],
  ])('passes nothing from page to page with %s', async (_name, options) => {
    await using scraper = await startTestScraper(settings);
    const request = { render: true, selectors: { seen: 'h1' }, ...options };
    // With antiBot, the ladder itself remembers cookies of a host for the account.
    const dataJson = expect.stringMatching(options.antiBot ? /:"(a=1)?0"/ : /:"0"/);
    for (const accountId of ['acc_1', 'acc_1', 'acc_2']) {
      expect(await scraper.scrape({ url: SETTER, ...request }, { accountId })).toMatchObject({ ok: true });
      const reply = await scraper.scrape({ url: READER, ...request }, { accountId });
      expect(reply).toMatchObject({ ok: true, result: { dataJson } });
    }
  });
});
