import { type CreateJobRequest, fetchedUrl } from '@gleaner/contracts';
import type { NewPage } from '@gleaner/storage';

/** Pages of a new job, one for each entry of `urls`. */
export interface PagePlan {
  readonly pages: readonly NewPage[];
  /** Number of pages that are fetched; undefined if that is all of them. */
  readonly distinctUrls: number | undefined;
}

/** Plans the pages of a job. Of several entries that fetch the same URL, the later ones are copies of the first. */
export function planPages({ urls, ...options }: CreateJobRequest): PagePlan {
  const firsts = new Map<string, number>();
  const copies = new Map<number, number>();
  const planned = urls.map((url, index) => {
    const fetched = fetchedUrl(url, options);
    const page = { index, url, host: new URL(url).host };
    const first = firsts.get(fetched);
    if (first === undefined) {
      firsts.set(fetched, index);
      return page;
    }
    copies.set(first, (copies.get(first) ?? 0) + 1);
    return { ...page, copyOf: first };
  });
  if (copies.size === 0) return { pages: planned, distinctUrls: undefined };
  const pages = planned.map((page) => {
    const count = copies.get(page.index);
    return count === undefined ? page : { ...page, copies: count };
  });
  return { pages, distinctUrls: firsts.size };
}
