import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  defined,
  firecrawlDocument,
  firecrawlIdOf,
  hasFinished,
  isTerminal,
  type JobUrl,
  type PageResult,
  parseInTurns,
} from '@gleaner/contracts';
import { readResults, type StoredJob } from '@gleaner/storage';
import type { Applicant } from '../admission/take-place.ts';
import { StreamedResponse } from '../responses/responses.ts';
import { countResults } from '../routes/jobs/crawl/count-results.ts';
import { findScreenshot } from '../routes/jobs/find-screenshot.ts';
import type { JobDeps } from '../routes/jobs/job-handlers.ts';
import { inPlace } from '../routes/jobs/job-streams.ts';
import { listUrls } from '../routes/jobs/list-urls.ts';
import type { FinishedPart, FinishedParts } from './finished-parts.ts';

/** Collaborators of reading jobs. */
export type ReadDeps = Pick<JobDeps, 'pages' | 'results' | 'screenshots' | 'jobStreams' | 'filters'> & {
  readonly finishedParts: FinishedParts;
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

/** Bytes of documents after which a response ends with the address of the next one. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Part of the results of a job; `nextUrl` returns the address of the part that begins at a position. */
export interface StatusRequest {
  readonly skip: number;
  readonly limit?: number | undefined;
  readonly nextUrl: (skip: number) => string;
}

/**
 * Returns the state of a job with its documents: as many as fit into 10 MiB, one at least. Failed pages are not among them.
 * Documents are read in a place of the account, except for a part of a job that has finished and was read before.
 */
export async function readStatus(
  job: StoredJob,
  request: StatusRequest,
  call: Applicant,
  deps: ReadDeps,
): Promise<StreamedResponse> {
  const results = await countResults(job, {}, deps.pages);
  const head = `${JSON.stringify(headOf(job, results)).slice(0, -1)},"data":[`;
  // A cancelled job may have further documents until it has finished.
  const key = hasFinished(job) ? [job.id, request.skip, request.limit].join() : undefined;
  const nothing = request.skip < results ? undefined : { chunks: [], end: request.skip };
  const known = nothing ?? (key === undefined ? undefined : deps.finishedParts.get(key));
  const open = () => {
    if (known) return statusOf(head, request, results, again(known));
    const documents = documentsOf(job, request, deps);
    const kept = key === undefined ? documents : keeping(documents, key, deps.finishedParts);
    return inPlace(call, deps.jobStreams, () => statusOf(head, request, results, kept));
  };
  return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, open);
}

/** Returns the state of a job without its documents. */
function headOf(job: StoredJob, results: number): object {
  const completed = Math.max(0, results - job.failedUrls - (job.crawl?.missing ?? 0));
  const isOver = isTerminal(job.status);
  return defined({
    success: true,
    id: firecrawlIdOf(job.id),
    status: STATES[job.status],
    completed,
    total: isOver ? completed : completed + Math.max(0, job.totalUrls - job.completedUrls),
    creditsUsed: job.creditsUsed,
    expiresAt: job.retainedUntil?.toISOString(),
    createdAt: job.createdAt.toISOString(),
    completedAt: isOver ? job.completedAt?.toISOString() : undefined,
    duration: ((job.completedAt ?? new Date()).getTime() - job.createdAt.getTime()) / 1000,
  });
}

/** Documents as they are sent, with the position of the result after them at the end. */
type Documents = AsyncGenerator<Buffer, number> | Generator<Buffer, number>;

async function* statusOf(
  head: string,
  { nextUrl }: StatusRequest,
  results: number,
  documents: Documents,
): AsyncGenerator<string | Uint8Array> {
  yield head;
  const end = yield* documents;
  // The SDK of version 1 follows every `next` that is there, also null.
  yield end < results ? `],"next":${JSON.stringify(nextUrl(end))}}` : ']}';
}

async function* documentsOf(
  job: StoredJob,
  { skip, limit = Number.POSITIVE_INFINITY }: StatusRequest,
  deps: ReadDeps,
): AsyncGenerator<Buffer, number> {
  let position = skip;
  let documents = 0;
  let bytes = 0;
  const part = { limit: Number.MAX_SAFE_INTEGER, offset: skip };
  for await (const texts of readResults(job, part, deps.jobStreams)) {
    for (const text of texts) {
      if (bytes > MAX_BYTES || documents >= limit) return position;
      position += 1;
      const document = await documentOf(text, job, deps);
      if (document === undefined) continue;
      const chunk = Buffer.from(documents === 0 ? document : `,${document}`);
      bytes += chunk.length;
      documents += 1;
      yield chunk;
    }
  }
  return position;
}

/** Passes documents on, and keeps them once all have been read. */
async function* keeping(
  documents: Documents,
  key: string,
  parts: FinishedParts,
): AsyncGenerator<Buffer, number> {
  const chunks: Buffer[] = [];
  for (;;) {
    const { done, value } = await documents.next();
    if (done) {
      parts.set(key, { chunks, end: value });
      return value;
    }
    chunks.push(value);
    yield value;
  }
}

function* again({ chunks, end }: FinishedPart): Generator<Buffer, number> {
  yield* chunks;
  return end;
}

/** Characters of a result from which other calls get their turn. */
const LARGE = 100_000;

/** Returns a result as a document, or undefined for a page that failed. */
async function documentOf(text: string, job: StoredJob, deps: ReadDeps): Promise<string | undefined> {
  const result = (await parseInTurns(text)) as PageResult;
  if ('error' in result) return undefined;
  const index = result.screenshotUrl?.split('/').at(-2);
  const screenshot = index === undefined ? undefined : await readScreenshot(job.id, index, deps);
  // A page may be large: it is written in a turn of its own.
  if (text.length > LARGE) await nextTurn();
  return JSON.stringify(firecrawlDocument(result, { screenshot }));
}

async function readScreenshot(jobId: string, index: string, deps: ReadDeps): Promise<string | undefined> {
  const { format, open } = await findScreenshot(jobId, index, deps);
  const chunks: Buffer[] = await open().toArray();
  return `data:image/${format};base64,${Buffer.concat(chunks).toString('base64')}`;
}

/** Returns the failed pages of a job, and the URLs of a crawl disallowed by robots.txt. */
export function readErrors(job: StoredJob, call: Applicant, deps: ReadDeps): StreamedResponse {
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
