import { runService } from '@gleaner/service-kit';
import { SCRAPER_SETTINGS } from './config.ts';
import { startScraper } from './start-scraper.ts';

await runService({
  name: 'scraper',
  config: SCRAPER_SETTINGS,
  uses: ['broker'],
  servesScrapes: true,
  start: startScraper,
});
