import { defined, type JobUrl, shownRequestOf, type UrlState } from '@gleaner/contracts';
import { type Entry, PAGE_STATES, placeInCrawl, type StoredPage } from '@gleaner/storage';

/** States as the API names them, by those of pages. */
const SHOWN: Readonly<Record<(typeof PAGE_STATES)[number], UrlState>> = {
  waiting: 'waiting',
  running: 'running',
  succeeded: 'completed',
  visited: 'completed',
  failed: 'failed',
  missing: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** Returns the states of pages that the API shows as this one; all of them without one. */
export function pageStatesOf(state: UrlState | undefined): (typeof PAGE_STATES)[number][] {
  return PAGE_STATES.filter((each) => state === undefined || SHOWN[each] === state);
}

/** Returns a URL of a job as the API shows it. */
export function describeUrl({ index, url, page }: Entry): JobUrl {
  return {
    index,
    url,
    ...shownRequestOf(page.requestJson),
    state: stateOf(page),
    attempts: page.attempt,
    ...(index !== page.index && { duplicateOf: page.index }),
    ...defined({ verdict: page.verdict }),
    ...(page.crawled && placeInCrawl(page.crawled)),
    ...(page.crawled?.skip && { skipped: page.crawled.skip }),
    ...defined({ error: page.failure }),
  };
}

function stateOf({ id, state }: StoredPage): UrlState {
  if (state === 'copy' || state === 'done') throw new Error(`The page ${id} is not one of the job's URLs.`);
  return SHOWN[state];
}
