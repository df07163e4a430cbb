import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { browserIn, onlyTabIn, renderersOf } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { startTestScraper } from './start-test-scraper.ts';

/** Every page takes the spare tab. */
const FRESH = { BROWSER_SHARE_CONTEXTS: 'false' };

await describeWithBrowser('the browsers of a scraper', (settings) => {
  it('start on demand, are replaced after BROWSER_MAX_USES, and close when idle', async () => {
    const folder = await makeBrowserFolder();
    const running = () => readdir(join(folder, 'running')).catch(() => []);
    const limits = { BROWSER_MAX_USES: '2', BROWSER_IDLE_MS: '100' };
    await using scraper = await startTestScraper({ ...settings, ...limits, BROWSER_DIR: folder });
    expect(await running()).toEqual([]);
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => scraper.scrape({ url: '/', render: true })));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    await eventually(async () => expect(await running()).toEqual([]));
    expect(await scraper.scrape({ url: '/', render: true })).toMatchObject({ ok: true });
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('keep an unused spare tab ready for the next page', async () => {
    const folder = await makeBrowserFolder();
    await using scraper = await startTestScraper({ ...settings, ...FRESH, BROWSER_DIR: folder });
    const seen = new Set<number>();
    for (let count = 1; count <= 3; count++) {
      expect(await scraper.scrape({ url: '/', render: true })).toMatchObject({ ok: true });
      // For a moment, the only tab may be that of the page.
      const pid = await eventually(async () => {
        const tab = await onlyTabIn(folder);
        expect(seen).not.toContain(tab.pid);
        return tab.pid;
      });
      seen.add(pid);
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('open another tab when the spare one has crashed', async () => {
    const folder = await makeBrowserFolder();
    await using scraper = await startTestScraper({ ...settings, ...FRESH, BROWSER_DIR: folder });
    for (let count = 1; count <= 3; count++) {
      const reply = await scraper.scrape({ url: '/', render: true });
      expect(reply.ok ? 'success' : reply.failure.message).toBe('success');
      // The tab that is left for a moment may be that of the page.
      const lost = () => scraper.logLines.filter((line) => line.includes('A spare tab was lost')).length;
      const before = lost();
      await eventually(async () => {
        const [tab, ...others] = renderersOf(await browserIn(folder));
        if (tab && others.length === 0) process.kill(tab.pid, 'SIGKILL');
        expect(lost()).toBeGreaterThan(before);
      });
    }
    expect(scraper.origin.requestsTo('/')).toHaveLength(3);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
});
