import type { Gleaner, Job } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import type { Answer } from '../answer/render-answer.ts';
import { answerList, PAGE, quotesPages } from './take-page.ts';
import type { Tool } from './tool.ts';
import { answers, COUNT, LIST, OBJECT, PAGE_OPTIONS, TEXT, toPageOptions, UNTRUSTED } from './tool.ts';

/** Longest wait of one call: hosts give up a call after a minute. */
export const MAX_WAIT_SECONDS = 50;

/** `create_job`: many pages, or a crawl. */
export const CREATE_JOB: Tool = {
  name: 'create_job',
  title: 'Create a job or crawl',
  description:
    'Scrapes many pages, or with crawl a site, by a job. Takes every option of scrape. Then get_job, get_results.',
  scope: 'jobs',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  input: {
    type: 'object',
    required: ['urls'],
    properties: {
      urls: { type: 'array', items: TEXT, minItems: 1 },
      ...PAGE_OPTIONS,
      selectors: { type: 'object', description: 'As in scrape' },
      crawl: {
        type: 'object',
        description:
          'Follows links. {} or: limit (pages), maxDepth, scope (path, host, domain, any), include, exclude (globs), sitemap (skip, include, only), rules: [{match, selectors, actions, follow, keep}], maxCredits, since (an earlier crawl)',
      },
      name: TEXT,
      dataset: {
        type: 'object',
        description: 'Keeps records in a table: {name, rows (list), key (fields), gone (never, run)}',
      },
      sink: { type: 'object', description: 'Also to a bucket: {name}' },
      webhook: TEXT,
      estimate: { type: 'boolean', description: 'Only its cost, free' },
    },
  },
  output: answers({ untrusted: UNTRUSTED, job: OBJECT, estimate: OBJECT }),
  async call({ estimate, ...body }, { gleaner, signal }) {
    if (estimate === true) {
      const told = await gleaner.estimate(toPageOptions(body) as never, { look: true, signal });
      return { isUntrusted: true, value: { estimate: told as unknown as Json } };
    }
    return answerOf(await gleaner.jobs.create(toPageOptions(body) as never, { signal }));
  },
};

/** `get_job`: one job, or the newest ones. */
export const GET_JOB: Tool = {
  name: 'get_job',
  title: 'Look at a job',
  description: 'State of a job. Without id: the newest jobs, or those whose name or host search finds.',
  scope: 'jobs',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      id: TEXT,
      search: TEXT,
      waitSeconds: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS },
      ...PAGE,
    },
  },
  output: answers({ untrusted: UNTRUSTED, job: OBJECT, jobs: LIST, total: COUNT }),
  async call({ id, search, waitSeconds = 0, limit, offset }, { gleaner, signal }) {
    if (typeof id !== 'string') {
      return await answerList(
        'jobs',
        (query, call) => gleaner.jobs.list(query, call),
        search === undefined ? {} : { search: String(search) },
        { limit, offset },
        { signal, ...(search !== undefined && { at: { search: String(search) } }) },
      );
    }
    return answerOf(await waitFor(gleaner, id, Number(waitSeconds), signal));
  },
};

/** `cancel_job`. */
export const CANCEL_JOB: Tool = {
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Stops a job; its results so far stay.',
  scope: 'jobs',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: { type: 'object', additionalProperties: false, required: ['id'], properties: { id: TEXT } },
  output: answers({ untrusted: UNTRUSTED, job: OBJECT }),
  async call({ id }, { gleaner, signal }) {
    return answerOf(await gleaner.jobs.cancel(String(id), { signal }));
  },
};

/** Returns the job when it has finished, or as it is when the time is over. */
export async function waitFor(
  gleaner: Gleaner,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<Job> {
  const timeout = AbortSignal.timeout(seconds * 1000);
  const { options, results, resultsPagination, ...job } = await gleaner.jobs.get(
    id,
    { resultsLimit: 0 },
    { signal },
  );
  if (seconds === 0) return job;
  let last: Job = job;
  try {
    for await (const state of gleaner.jobs.watch(id, { signal: AbortSignal.any([signal, timeout]) }))
      last = state;
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
  }
  return last;
}

/** Returns the answer with a job. */
export function answerOf(job: object): Answer {
  const shown = job as { readonly [name: string]: Json };
  return { isUntrusted: quotesPages(shown), value: { job: shown } };
}
