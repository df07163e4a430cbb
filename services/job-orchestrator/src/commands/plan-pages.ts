import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CreateJobRequest, fetchedKey, requestPartsOf } from '@gleaner/contracts';
import type { NewPage } from '@gleaner/storage';

/** Pages of a new job, one for each entry of `urls`. */
export interface PagePlan {
  readonly pages: readonly NewPage[];
  /** Number of pages to fetch; undefined if it is all of them. */
  readonly distinctUrls: number | undefined;
}

/** URLs that are planned in one turn of the event loop. */
const URLS_PER_TURN = 1000;

/** Plans the pages of a job. Of several entries with equal requests, the later ones are copies of the first. */
export async function planPages(request: CreateJobRequest): Promise<PagePlan> {
  const { urls, requests } = request;
  const firsts = new Map<string, number>();
  const copies = new Map<number, number>();
  const planned: NewPage[] = [];
  for (const [index, url] of urls.entries()) {
    if (index > 0 && index % URLS_PER_TURN === 0) await nextTurn();
    const fetched = fetchedKey(request, index);
    const parts = requests?.[index] && requestPartsOf(requests[index]);
    const page = {
      index,
      url,
      host: new URL(url).host,
      ...(parts && { requestJson: JSON.stringify(parts) }),
    };
    const first = firsts.get(fetched);
    planned.push(first === undefined ? page : { ...page, copyOf: first });
    if (first === undefined) firsts.set(fetched, index);
    else copies.set(first, (copies.get(first) ?? 0) + 1);
  }
  if (copies.size === 0) return { pages: planned, distinctUrls: undefined };
  const pages = planned.map((page) => {
    const count = copies.get(page.index);
    return count === undefined ? page : { ...page, copies: count };
  });
  return { pages, distinctUrls: firsts.size };
}
