import { eventually } from '@gleaner/test-kit';
import { startTestScraper } from './start-test-scraper.ts';

/** Process that renders one page until it is killed; takes BROWSER_DIR and CHROMIUM_PATH from the environment. */
const { BROWSER_DIR, CHROMIUM_PATH } = process.env;
const scraper = await startTestScraper({
  ...(BROWSER_DIR && { BROWSER_DIR }),
  ...(CHROMIUM_PATH && { CHROMIUM_PATH }),
});
scraper.scrape({ url: process.argv[2] ?? '/', render: true }, { timeoutMs: 60_000 }).catch(() => {
  // This process is killed before there is a reply.
});
await eventually(
  () => {
    if (scraper.origin.requests.length === 0) throw new Error('The page was not requested.');
  },
  { timeoutMs: 240_000 },
);
process.send?.('rendering');
