import {
  AppError,
  type CrawlOptions,
  type CreateJobRequest,
  type DatasetOptions,
  defined,
  hasFinished,
  LIMITS,
  type RequestParts,
  type RerunJobRequest,
  type ScrapeOptions,
} from '@gleaner/contracts';
import {
  datasetOf,
  type Entry,
  PAGE_STATES,
  type PartOfEntries,
  readEntries,
  type StoredJob,
  type Stores,
} from '@gleaner/storage';
import { crawlOptionsOf } from './crawl/crawl-options-of.ts';

/** States of the pages that are scraped again. */
const STATES: Readonly<Record<'all' | 'failed', PartOfEntries['states']>> = {
  all: PAGE_STATES,
  failed: ['failed'],
};

/**
 * Returns the request of a job that scrapes URLs of a finished job again, with its options; without the URLs of kept pages,
 * which can be too many for a message. A crawl starts again, or
 * fetches only the pages that failed, by its rules. Throws JOB_NOT_FINISHED, and INVALID_REQUEST if only failed URLs are
 * wanted and there are none, or more than a crawl can start from.
 */
export async function rerunRequestOf(
  job: StoredJob,
  { only = 'all' }: { readonly only?: RerunJobRequest['only'] | 'all' },
  {
    pages,
    jobs,
  }: {
    readonly pages: Pick<Stores['pages'], 'findInOrder' | 'findPages'>;
    readonly jobs: Pick<Stores['jobs'], 'findJob'>;
  },
): Promise<CreateJobRequest> {
  if (!hasFinished(job)) throw notFinished('can be run again');
  const crawl = crawlOptionsOf(job);
  const isOfKept = job.extractOf !== undefined;
  const { urls, requests } = isOfKept ? { urls: [] } : await entriesOf(job, only, pages);
  const isNone = isOfKept ? rerunCountOf(job, only) === 0 : urls.length === 0;
  if (isNone) throw only === 'failed' ? nothingFailed() : new AppError('JOB_NOT_FOUND');
  return {
    name: job.name,
    urls,
    ...defined({ requests }),
    ...optionsOf(job),
    ...(crawl && {
      crawl: only === 'all' ? await withSince(crawl, job, jobs) : withoutFollowing(crawl, urls.length),
    }),
    ...defined({ dataset: datasetOfRerun(job, only) }),
    ...(job.sinkJson !== undefined && { sink: JSON.parse(job.sinkJson) }),
    ...(job.webhookJson !== undefined && { webhook: JSON.parse(job.webhookJson) }),
  };
}

/** Returns the dataset of a job. A part of its pages cannot tell what is gone. */
function datasetOfRerun({ datasetJson }: StoredJob, only: 'all' | 'failed'): DatasetOptions | undefined {
  if (datasetJson === undefined) return undefined;
  const { id: _id, gone, ...dataset } = datasetOf(datasetJson);
  return { ...dataset, ...(only === 'all' && defined({ gone })) };
}

/** Returns the options of a job, without the proxy from its profile: the profile may have another one by now. */
function optionsOf({ optionsJson, extractOf }: StoredJob): ScrapeOptions {
  const options: ScrapeOptions = JSON.parse(optionsJson);
  if (extractOf !== undefined) return withoutFetching(options);
  const { proxy, ...rest } = options;
  return options.profile === undefined || proxy === undefined ? options : rest;
}

/** Returns the options without those for fetching alone: the profile or proxy they name may be gone by now. */
export function withoutFetching(options: ScrapeOptions): ScrapeOptions {
  const { actions: _actions, capture: _capture, profile: _profile, proxy: _proxy, ...rest } = options;
  return rest;
}

/** Returns the number of URLs of a job that are scraped again. */
export function rerunCountOf({ totalUrls, failedUrls }: StoredJob, only: 'all' | 'failed'): number {
  return only === 'all' ? totalUrls : failedUrls;
}

async function entriesOf(
  job: StoredJob,
  only: 'all' | 'failed',
  pages: Pick<Stores['pages'], 'findInOrder' | 'findPages'>,
): Promise<Pick<CreateJobRequest, 'urls' | 'requests'>> {
  const crawl = crawlOptionsOf(job);
  const part = { states: STATES[only], limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const urls: string[] = [];
  const requests: RequestParts[] = [];
  for await (const entries of readEntries(job, part, pages)) {
    const wanted = crawl && only === 'all' ? entries.filter(isStart) : entries;
    urls.push(...wanted.map(({ url }) => url));
    if (job.hasRequests) requests.push(...wanted.map(({ page }) => JSON.parse(page.requestJson ?? '{}')));
    // Start URLs come first.
    if (crawl && urls.length > 0 && wanted.length === 0) break;
    if (crawl && urls.length > LIMITS.maxStartUrls) throw tooManyFailed();
  }
  return { urls, ...(job.hasRequests && { requests }) };
}

/**
 * Returns the origins for the credentials of a rerun: a page found by a crawl gets no more as a start URL of another one.
 * Undefined for the origins of the URLs; none if the job does not know them.
 */
export function credentialOriginsOfRerun(
  { credentialOrigins, crawlJson }: StoredJob,
  { only }: RerunJobRequest,
): string[] | undefined {
  return credentialOrigins ?? (only === 'failed' && crawlJson !== undefined ? [] : undefined);
}

function isStart({ page: { crawled } }: Entry): boolean {
  return crawled?.depth === 0 && crawled.foundOn === undefined;
}

/** Returns the options of a crawl that is compared with the same one, if that is still there. */
async function withSince(
  { since: _since, changes: _changes, ...crawl }: CrawlOptions,
  { accountId, crawl: state }: StoredJob,
  jobs: Pick<Stores['jobs'], 'findJob'>,
): Promise<CrawlOptions> {
  const [before] = state?.since ?? [];
  const isThere = before !== undefined && (await jobs.findJob(accountId, before)) !== null;
  return isThere ? { ...crawl, since: before } : crawl;
}

/** Returns the options of a crawl that fetches its start URLs and nothing else. */
function withoutFollowing(
  { since: _since, changes: _changes, ...crawl }: CrawlOptions,
  limit: number,
): CrawlOptions {
  return { ...crawl, limit, maxDepth: 0, sitemap: 'skip' };
}

function tooManyFailed(): AppError {
  const message = `must be left out: more than ${LIMITS.maxStartUrls} pages of this crawl failed`;
  return new AppError('INVALID_REQUEST', {
    message: `only ${message}.`,
    suggestion: 'Leave only out to crawl again from the start.',
    details: [{ path: 'only', message }],
  });
}

/** Returns the error of a job that has to finish first. */
export function notFinished(use: string): AppError {
  return new AppError('JOB_NOT_FINISHED', {
    message: `The job has not finished, and only a finished job ${use}.`,
  });
}

function nothingFailed(): AppError {
  const message = 'must be left out: no URL of this job failed';
  return new AppError('INVALID_REQUEST', {
    message: `only ${message}.`,
    suggestion: 'Leave only out to scrape every URL of the job again.',
    details: [{ path: 'only', message }],
  });
}
