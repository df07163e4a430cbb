import { BLOCK_PAGE_VENDORS } from '@gleaner/test-kit';
import { afterAll, beforeAll, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { checkWall, WALL_IS_NO_PAGE } from './check-wall.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('with antiBot', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ ...settings, ANTIBOT_REMEMBER_MS: '0' });
    // Starts the browser, so that this does not use up the time of its rung.
    await scraper.scrape({ url: '/', render: true }, { timeoutMs: 120_000 });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it.each(BLOCK_PAGE_VENDORS)(WALL_IS_NO_PAGE, (vendor) => checkWall(scraper, vendor));
});
