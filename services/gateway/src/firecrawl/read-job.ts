import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  firecrawlDocument,
  firecrawlIdOf,
  isTerminal,
  type JobUrl,
  jobIdOfFirecrawl,
  type PageResult,
} from '@gleaner/contracts';
import { readResults, type StoredJob, type Stores } from '@gleaner/storage';
import type { Caller } from '../authentication.ts';
import { StreamedResponse } from '../responses/responses.ts';
import { countResults } from '../routes/jobs/crawl/count-results.ts';
import type { CrawlFilters } from '../routes/jobs/crawl/find-crawled-url.ts';
import type { JobDeps } from '../routes/jobs/create-job-handlers.ts';
import { findScreenshot } from '../routes/jobs/find-screenshot.ts';
import { inPlace } from '../routes/jobs/job-streams.ts';
import { listUrls } from '../routes/jobs/list-urls.ts';

/** Collaborators of reading jobs. */
export type ReadDeps = Pick<JobDeps, 'jobs' | 'pages' | 'results' | 'screenshots' | 'jobStreams'> & {
  readonly filters: CrawlFilters;
};

/** The state of a job as Firecrawl names it, by Gleaner's. */
const STATES: Readonly<Record<StoredJob['status'], 'scraping' | 'completed' | 'failed' | 'cancelled'>> = {
  pending: 'scraping',
  running: 'scraping',
  completed: 'completed',
  partial: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Finds a job of the account by either form of its id. Throws JOB_NOT_FOUND. */
export async function findJob(
  { account }: Caller,
  id: string,
  { jobs }: Pick<Stores, 'jobs'>,
): Promise<StoredJob> {
  const job = await jobs.findJob(account.id, jobIdOfFirecrawl(id));
  if (!job) throw new AppError('JOB_NOT_FOUND');
  return job;
}

/** Bytes of documents after which a response ends with the address of the next one. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Part of the results of a job; `nextUrl` returns the address of the part that begins at a position. */
export interface StatusRequest {
  readonly skip: number;
  readonly limit?: number | undefined;
  readonly nextUrl: (skip: number) => string;
}

/** Returns the state of a job with its documents: as many as fit into 10 MiB, one at least. Failed pages are not among them. */
export async function readStatus(
  job: StoredJob,
  request: StatusRequest,
  deps: ReadDeps,
): Promise<StreamedResponse> {
  const results = await countResults(job, {}, deps.pages);
  const completed = Math.max(0, results - job.failedUrls - (job.crawl?.missing ?? 0));
  const isOver = isTerminal(job.status);
  const head = {
    ...{ success: true, id: firecrawlIdOf(job.id), status: STATES[job.status], completed },
    total: isOver ? completed : completed + Math.max(0, job.totalUrls - job.completedUrls),
    creditsUsed: job.creditsUsed,
    ...(job.retainedUntil && { expiresAt: job.retainedUntil.toISOString() }),
    createdAt: job.createdAt.toISOString(),
    ...(isOver && job.completedAt && { completedAt: job.completedAt.toISOString() }),
    duration: ((job.completedAt ?? new Date()).getTime() - job.createdAt.getTime()) / 1000,
  };
  return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
    statusOf(job, head, { ...request, results }, deps),
  );
}

async function* statusOf(
  job: StoredJob,
  head: object,
  { skip, limit = Number.POSITIVE_INFINITY, results, nextUrl }: StatusRequest & { readonly results: number },
  deps: ReadDeps,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`;
  let position = skip;
  let documents = 0;
  let bytes = 0;
  const part = { limit: Number.MAX_SAFE_INTEGER, offset: skip };
  reading: for await (const texts of readResults(job, part, deps)) {
    for (const text of texts) {
      if (bytes > MAX_BYTES || documents >= limit) break reading;
      position += 1;
      const document = await documentOf(text, job, deps);
      if (document === undefined) continue;
      bytes += Buffer.byteLength(document);
      yield documents === 0 ? document : `,${document}`;
      documents += 1;
    }
  }
  // The SDK of version 1 follows every `next` that is there, also null.
  yield position < results ? `],"next":${JSON.stringify(nextUrl(position))}}` : ']}';
}

/** Characters of a result from which other calls get their turn. */
const LARGE = 100_000;

/** Returns a result as a document, or undefined for a page that failed. */
async function documentOf(text: string, job: StoredJob, deps: ReadDeps): Promise<string | undefined> {
  const result: PageResult = JSON.parse(text);
  if ('error' in result) return undefined;
  const index = result.screenshotUrl?.split('/').at(-2);
  const screenshot = index === undefined ? undefined : await readScreenshot(job.id, index, deps);
  // A page may be large: it is read in one turn of the event loop, and written in the next.
  if (text.length > LARGE) await nextTurn();
  return JSON.stringify(firecrawlDocument(result, { screenshot }));
}

async function readScreenshot(jobId: string, index: string, deps: ReadDeps): Promise<string | undefined> {
  const { format, open } = await findScreenshot(jobId, index, deps);
  const chunks: Buffer[] = await open().toArray();
  return `data:image/${format};base64,${Buffer.concat(chunks).toString('base64')}`;
}

/** Returns the pages of a job that failed, and those of a crawl that robots.txt disallows. */
export function readErrors(
  job: StoredJob,
  call: { readonly caller: Caller; readonly signal: AbortSignal },
  deps: ReadDeps,
): StreamedResponse {
  return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
    inPlace(call, deps.jobStreams, () => errorsOf(job, deps)),
  );
}

async function* errorsOf(job: StoredJob, deps: ReadDeps): AsyncGenerator<string> {
  const reader = { pages: deps.jobStreams.pages, filters: deps.filters };
  let separator = '';
  yield '{"success":true,"errors":[';
  for await (const texts of listUrls(job, { state: 'failed' }, reader)) {
    yield separator + texts.map((text) => JSON.stringify(errorOf(job, JSON.parse(text)))).join(',');
    separator = ',';
  }
  separator = '';
  yield '],"robotsBlocked":[';
  for await (const texts of job.crawl ? listUrls(job, { state: 'skipped' }, reader) : []) {
    const urls = texts.map((text): JobUrl => JSON.parse(text)).filter(({ skipped }) => skipped === 'robots');
    if (urls.length === 0) continue;
    yield separator + urls.map(({ url }) => JSON.stringify(url)).join(',');
    separator = ',';
  }
  yield ']}';
}

function errorOf({ id, completedAt }: StoredJob, { index = 0, url, error }: JobUrl): object {
  return {
    id: `${firecrawlIdOf(id)}:${index}`,
    timestamp: completedAt?.toISOString() ?? null,
    url,
    code: error?.code,
    error: error?.message ?? 'The page failed.',
  };
}
