import {
  AppError,
  FIRECRAWL_EXTRACT_URLS,
  hasFinished,
  jobIdOfFirecrawl,
  type PageResult,
  parseInTurns,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { readResults, type StoredJob } from '@gleaner/storage';
import { takePlace } from '../admission/take-place.ts';
import { findJob } from '../routes/jobs/find-job.ts';
import { TOO_MANY_STREAMS } from '../routes/jobs/job-streams.ts';
import { requireModel } from '../routes/scrape/model-rules.ts';
import { type Answer, startJob } from './answers.ts';
import type { ReadDeps } from './read-job.ts';
import { translateExtract } from './translate-extract.ts';

/** Answers `POST /extract`: a job, whose pages become one object when it is read. */
export const createExtract: Answer = async (call, deps) => {
  requireModel({ extract: { schema: {} } }, deps.rules);
  const { options, warnings, invalidUrls } = await translateExtract(call.body, deps.rules);
  const created = await startJob(call, { options, warnings, path: '/extract' }, deps);
  return { ...created, invalidURLs: invalidUrls ?? [] };
};

/** Answers `GET /extract/{id}`. */
export const readExtract: Answer = async ({ caller, signal, params: { id = '' } }, deps) => {
  const job = await findJob(caller, jobIdOfFirecrawl(id), deps);
  if (!isExtract(job)) throw new AppError('JOB_NOT_FOUND');
  if (!hasFinished(job)) return { ...headOf(job), success: true, status: 'processing' };
  using _place = await takePlace({ caller, signal }, deps.jobStreams, TOO_MANY_STREAMS);
  const { data, sources, errors, pages } = await readExtracted(job, deps.jobStreams);
  if (pages === 0 && job.status !== 'cancelled')
    return { ...headOf(job), success: false, status: 'failed', error: errors.join(' ') };
  return {
    ...headOf(job),
    success: true,
    status: job.status === 'cancelled' ? 'cancelled' : 'completed',
    data,
    sources,
    ...(errors.length > 0 && { warning: errors.join(' ') }),
  };
};

/** Returns true for a job whose data one answer can hold: values of a model on a few pages. */
function isExtract({ crawl, totalUrls, optionsJson }: StoredJob): boolean {
  const { extract, selectors }: ScrapeOptions = JSON.parse(optionsJson);
  return !crawl && totalUrls <= FIRECRAWL_EXTRACT_URLS && extract !== undefined && selectors === undefined;
}

function headOf({ creditsUsed, retainedUntil }: StoredJob): object {
  return { creditsUsed, ...(retainedUntil && { expiresAt: retainedUntil.toISOString() }) };
}

/** Values of all pages of a job. */
interface Extracted {
  readonly data: Readonly<Record<string, unknown>>;
  /** For each field of the object, the pages that have it. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** Messages of pages that failed, and warnings of the others. */
  readonly errors: readonly string[];
  /** Number of pages that did not fail. */
  readonly pages: number;
}

/** Reads the pages of a job as one object. */
async function readExtracted(job: StoredJob, streams: ReadDeps['jobStreams']): Promise<Extracted> {
  let data: Readonly<Record<string, unknown>> = {};
  const sources = new Map<string, string[]>();
  const errors = new Set<string>();
  let pages = 0;
  for await (const texts of readResults(job, { limit: Number.MAX_SAFE_INTEGER, offset: 0 }, streams)) {
    for (const text of texts) {
      const page = (await parseInTurns(text)) as PageResult;
      if ('error' in page) {
        errors.add(`${page.url}: ${page.error.message}`);
        continue;
      }
      pages += 1;
      const values = page.data ?? {};
      data = mergeValues(data, values) as typeof data;
      for (const [name, value] of Object.entries(values))
        if (hasValue(value)) sources.set(name, [...(sources.get(name) ?? []), page.url]);
      for (const { message } of page.warnings ?? []) errors.add(message);
    }
  }
  return { data, sources: Object.fromEntries(sources), errors: [...errors], pages };
}

/** Merges the values of two pages: lists are joined, and of other values the first that is not null holds. */
function mergeValues(first: unknown, next: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(next)) return [...first, ...next];
  if (!isRecord(first) || !isRecord(next)) return first ?? next;
  const names = new Set([...Object.keys(first), ...Object.keys(next)]);
  return Object.fromEntries([...names].map((name) => [name, mergeValues(first[name], next[name])]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasValue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}
