import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { startTestScraper } from './start-test-scraper.ts';

await describeWithBrowser('the browsers of a scraper', (settings) => {
  it('start when they are wanted, are replaced after their uses, and end when nobody needs them', async () => {
    const folder = await makeBrowserFolder();
    const running = () => readdir(join(folder, 'running')).catch(() => []);
    const limits = { BROWSER_MAX_USES: '2', BROWSER_IDLE_MS: '100' };
    await using scraper = await startTestScraper({ ...settings, ...limits, BROWSER_DIR: folder });
    expect(await running()).toEqual([]);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => scraper.scrape({ url: '/', render: true })));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    await eventually(async () => expect(await running()).toEqual([]), { timeoutMs: 30_000 });
    expect(await scraper.scrape({ url: '/', render: true })).toMatchObject({ ok: true });
    await rm(folder, { recursive: true, force: true });
  });
});
