import { takingTurns } from '../async/taking-turns.ts';
import { requestKey } from '../scrape/request-body.ts';
import { mayRender, type ScrapeOptions } from '../scrape/scrape-request.ts';
import { type CreateJobRequest, partsOf } from './create-job.ts';

/**
 * Returns the URL that is fetched for an entry of a job. HTTP carries no fragment. A browser gets it, because pages may
 * show something else for each (`#/items/7`).
 */
export function fetchedUrl(url: string, options: ScrapeOptions): string {
  const fetched = new URL(url);
  if (!mayRender(options)) fetched.hash = '';
  return fetched.href;
}

/** Returns what tells an entry of a job from others: URL, method and body. Equal ones are fetched once. */
export function fetchedKey({ urls, ...options }: CreateJobRequest, index: number): string {
  const parts = partsOf(options, index);
  const url = fetchedUrl(urls[index] ?? '', { ...options, ...parts });
  return `${url} ${requestKey(parts)}`;
}

/** Returns the number of different requests that are sent for the entries of a job; other work gets its turn. */
export async function countFetchedUrls(request: CreateJobRequest): Promise<number> {
  const fetched = new Set<string>();
  const takeTurns = takingTurns();
  for (const index of request.urls.keys()) {
    fetched.add(fetchedKey(request, index));
    await takeTurns();
  }
  return fetched.size;
}
