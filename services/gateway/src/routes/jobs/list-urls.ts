import { AppError, fetchedUrl, type PageKind, type ScrapeOptions, type UrlState } from '@gleaner/contracts';
import { type Entry, type PartOfEntries, readEntries, type StoredJob, type Stores } from '@gleaner/storage';
import { crawlOptionsOf } from './crawl/crawl-options-of.ts';
import { type CrawlFilters, findCrawledUrl } from './crawl/find-crawled-url.ts';
import { describeUrl, pageStatesOf } from './describe-url.ts';

/** Choice of a caller who lists the URLs of a job. */
interface UrlQuery {
  readonly state?: UrlState;
  readonly url?: string;
  readonly verdict?: readonly PageKind[];
}

/** Stores that URLs are read from. */
export type UrlReader = Pick<Stores['pages'], 'findInOrder' | 'findPages' | 'findByKey'>;

/**
 * Returns the URLs of a job as a stream of JSON texts, in order: all, or by state, by kind of page, or by address.
 * Throws INVALID_REQUEST if `url` is not a URL.
 */
export function listUrls(
  job: StoredJob,
  { state, url, verdict: verdicts }: UrlQuery,
  { pages, filters }: { readonly pages: UrlReader; readonly filters: CrawlFilters },
): AsyncIterable<readonly string[]> {
  const options: ScrapeOptions = JSON.parse(job.optionsJson);
  const crawl = crawlOptionsOf(job);
  if (url !== undefined && !URL.canParse(url)) throw notAUrl();
  if (url !== undefined && crawl) {
    return findCrawledUrl({ job, crawl, url: new URL(url), state, verdicts }, { pages, filters });
  }
  const wanted = url === undefined ? undefined : fetchedUrl(url, options);
  const isWanted = (entry: Entry) => wanted === undefined || fetchedUrl(entry.url, options) === wanted;
  const part = { states: pageStatesOf(state), verdicts, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  return textsOf({ job, part, isWanted }, pages);
}

async function* textsOf(
  { job, part, isWanted }: { job: StoredJob; part: PartOfEntries; isWanted: (entry: Entry) => boolean },
  pages: UrlReader,
): AsyncGenerator<readonly string[]> {
  for await (const entries of readEntries(job, part, pages)) {
    const texts = entries.filter(isWanted).map((entry) => JSON.stringify(describeUrl(entry)));
    if (texts.length > 0) yield texts;
  }
}

function notAUrl(): AppError {
  const message = 'must be an absolute URL such as https://example.com/';
  return new AppError('INVALID_REQUEST', { message: `url ${message}.`, details: [{ path: 'url', message }] });
}
