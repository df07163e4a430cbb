import { eventually } from '@gleaner/test-kit';
import { startTestScraper } from './start-test-scraper.ts';

/** A process that renders one page until it is killed; BROWSER_DIR and CHROMIUM_PATH reach it as to any scraper. */
const { BROWSER_DIR, CHROMIUM_PATH } = process.env;
const scraper = await startTestScraper({
  ...(BROWSER_DIR && { BROWSER_DIR }),
  ...(CHROMIUM_PATH && { CHROMIUM_PATH }),
});
void scraper.scrape({ url: process.argv[2] ?? '/', render: true }, { timeoutMs: 60_000 });
await eventually(
  () => {
    if (scraper.origin.requests.length === 0) throw new Error('The page was not asked for.');
  },
  { timeoutMs: 20_000 },
);
process.send?.('rendering');
