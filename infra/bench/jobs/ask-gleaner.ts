import { setTimeout as sleep } from 'node:timers/promises';
import { type CreateJobRequest, isTerminal, type Job } from '@gleaner/contracts';
import type { Stack } from '../../stack/start-stack.ts';
import { postScrape } from '../post-scrape.ts';
import { FIELD_SETS } from './workload.ts';

/** Interval of polling a job, in milliseconds. */
const POLL_MS = 200;

type Api = Pick<Stack, 'url' | 'apiKey'>;

/** Creates a job and returns its path. */
export async function createJob({ url, apiKey }: Api, request: CreateJobRequest): Promise<string> {
  const response = await fetch(`${url}/v1/jobs`, {
    method: 'POST',
    headers: headersOf(apiKey),
    body: JSON.stringify(request),
  });
  const place = response.headers.get('location');
  if (place === null) throw new Error(`The job was not created: ${await response.text()}`);
  return place;
}

/** Reads the job without its results. */
export async function readJob({ url, apiKey }: Api, place: string): Promise<Job> {
  const response = await fetch(`${url}${place}?resultsLimit=0`, { headers: headersOf(apiKey) });
  if (!response.ok) throw new Error(`The job cannot be read: ${await response.text()}`);
  return ((await response.json()) as { job: Job }).job;
}

/** Waits until a job has finished. */
export async function untilEnded(api: Api, place: string, pollMs = POLL_MS): Promise<Job> {
  for (;;) {
    const job = await readJob(api, place);
    if (isTerminal(job.status)) return job;
    await sleep(pollMs);
  }
}

/** Reads the extracted data of each page, by the number in its URL. */
export async function readValues({ url, apiKey }: Api, place: string): Promise<unknown[]> {
  const response = await fetch(`${url}${place}/results?format=ndjson`, { headers: headersOf(apiKey) });
  const values: unknown[] = [];
  for (const line of (await response.text()).trimEnd().split('\n')) {
    const result = JSON.parse(line) as { url: string; data: unknown };
    values[Number(new URL(result.url).pathname.slice(1))] = result.data;
  }
  return values;
}

/** Scrapes one page while the caller waits. */
export async function scrape(api: Api, page: string): Promise<void> {
  const response = await postScrape(api, { url: page, selectors: FIELD_SETS.lists });
  const text = await response.text();
  if (!response.ok) throw new Error(`A scrape failed: ${text}`);
}

/** Returns the URLs of the first pages of an origin. */
export function pagesOf(originUrl: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => originUrl + index);
}

function headersOf(apiKey: string) {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}
