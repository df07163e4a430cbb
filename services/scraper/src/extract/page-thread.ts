/** Entry of the threads of a `PageReader`. */
import { Budget, serveTasks } from '@gleaner/extraction';
import { type CrawlFile, readCrawlFile } from '../crawl/read-crawl-file.ts';
import { type PageToRead, useUpPage } from './read-page.ts';

/** About ten seconds of one core; the deadline may come first. */
const MAX_THREAD_STEPS = 300_000_000;

serveTasks((task: PageToRead | CrawlFile) => {
  const budget = new Budget({ maxSteps: MAX_THREAD_STEPS });
  return 'purpose' in task ? readCrawlFile(task, budget) : useUpPage(task, budget);
});
