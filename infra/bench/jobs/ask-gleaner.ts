import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CreateJobRequest, isTerminal, type Job } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';

/** Interval of polling a job, in milliseconds. */
const POLL_MS = 200;

/** A gateway, and a key of the account that calls it. */
type Api = Pick<Stack, 'url' | 'apiKey'>;

/** Calls the API. Throws for a response that is not successful. */
async function callApi({ url, apiKey }: Api, method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} failed: ${await response.text()}`);
  return response;
}

const MAX_CREATE_TRIES = 30;

/** Creates a job and returns its path; a busy machine may need several tries, which make one job. */
async function createJob({ url, apiKey }: Api, request: CreateJobRequest): Promise<string> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  for (let left = MAX_CREATE_TRIES; ; left--) {
    const body = JSON.stringify(request);
    const response = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body });
    if (response.ok) return response.headers.get('location') ?? '';
    if (response.status !== 503 || left === 0)
      throw new Error(`The job was not created: ${await response.text()}`);
    await sleep(1000);
  }
}

/** Reads the job without its results. */
async function readJob(api: Api, place: string): Promise<Job> {
  const response = await callApi(api, 'GET', `${place}?resultsLimit=0`);
  return ((await response.json()) as { job: Job }).job;
}

/** Looks at a job until it has finished; `onLook` is called with each look. */
async function untilEnded(api: Api, place: string, onLook?: (job: Job) => Promise<void>): Promise<Job> {
  for (;;) {
    const job = await readJob(api, place);
    await onLook?.(job);
    if (isTerminal(job.status)) return job;
    await sleep(POLL_MS);
  }
}

/** Runs a job to its end and returns its path. Throws when a page fails. */
export async function runJob(api: Api, request: CreateJobRequest, onLook?: (job: Job) => Promise<void>) {
  const place = await createJob(api, request);
  const { status, failedUrls } = await untilEnded(api, place, onLook);
  if (status !== 'completed') throw new Error(`The job ended as ${status}: ${failedUrls} pages failed.`);
  return place;
}

/** Reads the extracted data of each page, by the number in its URL. */
export async function readValues(api: Api, place: string): Promise<unknown[]> {
  const response = await callApi(api, 'GET', `${place}/results?format=ndjson`);
  const values: unknown[] = [];
  for (const line of (await response.text()).trimEnd().split('\n')) {
    const result = JSON.parse(line) as { url: string; data: unknown };
    values[Number(new URL(result.url).pathname.slice(1))] = result.data;
  }
  return values;
}

/** Scrapes one page while the caller waits, and returns its data. */
export async function scrape(api: Api, request: object): Promise<unknown> {
  const response = await callApi(api, 'POST', '/v1/scrape', request);
  return ((await response.json()) as { data: unknown }).data;
}

/** Returns the URLs of the first pages of an origin. */
export function pagesOf(originUrl: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => originUrl + index);
}
