import { AppError, fetchedUrl, type JobUrl, type ScrapeOptions, type UrlState } from '@gleaner/contracts';
import {
  type Entry,
  PAGE_STATES,
  type PartOfEntries,
  readEntries,
  type StoredJob,
  type StoredPage,
  type Stores,
} from '@gleaner/storage';

/** Choice of a caller who lists the URLs of a job. */
interface UrlQuery {
  readonly state?: UrlState;
  readonly url?: string;
}

/** States as the API names them, by those of pages. */
const SHOWN: Readonly<Record<(typeof PAGE_STATES)[number], UrlState>> = {
  waiting: 'waiting',
  running: 'running',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/**
 * Returns a stream of the URLs of a job as JSON texts, in order: those in one state, those that fetch one URL, or all.
 * Throws INVALID_REQUEST if `url` is not a URL.
 */
export function listUrls(
  job: StoredJob,
  { state, url }: UrlQuery,
  pages: Pick<Stores['pages'], 'findInOrder' | 'findPages'>,
): AsyncIterable<readonly string[]> {
  const options: ScrapeOptions = JSON.parse(job.optionsJson);
  const wanted = url === undefined ? undefined : wantedUrl(url, options);
  const isWanted = (entry: Entry) => wanted === undefined || fetchedUrl(entry.url, options) === wanted;
  const states = PAGE_STATES.filter((each) => state === undefined || SHOWN[each] === state);
  return textsOf({ job, part: { states, limit: job.totalUrls, offset: 0 }, isWanted }, pages);
}

async function* textsOf(
  { job, part, isWanted }: { job: StoredJob; part: PartOfEntries; isWanted: (entry: Entry) => boolean },
  pages: Pick<Stores['pages'], 'findInOrder' | 'findPages'>,
): AsyncGenerator<readonly string[]> {
  for await (const entries of readEntries(job, part, pages)) {
    const texts = entries.filter(isWanted).map((entry) => JSON.stringify(describe(entry)));
    if (texts.length > 0) yield texts;
  }
}

function describe({ index, url, page }: Entry): JobUrl {
  return {
    index,
    url,
    state: stateOf(page),
    attempts: page.attempt,
    ...(index !== page.index && { duplicateOf: page.index }),
    ...(page.failure && { error: page.failure }),
  };
}

function stateOf({ id, state }: StoredPage): UrlState {
  if (state === 'copy') throw new Error(`The page ${id} is a copy of another copy.`);
  return SHOWN[state];
}

function wantedUrl(url: string, options: ScrapeOptions): string {
  if (URL.canParse(url)) return fetchedUrl(url, options);
  const message = 'must be an absolute URL such as https://example.com/';
  throw new AppError('INVALID_REQUEST', { message: `url ${message}.`, details: [{ path: 'url', message }] });
}
