import type { Random } from '@gleaner/test-kit';
import type { JobOrder, PageKind } from '../job-client.ts';

/** A planned job. */
export interface PlannedJob extends JobOrder {
  /** Number of simultaneous creates under its key. */
  readonly timesAtOnce: number;
  readonly isCancelled: boolean;
}

export interface JobPlanOptions {
  /** Prefix of every token and key; unique among all runs against one database. */
  readonly prefix: string;
  readonly urls: number;
  readonly jobs: number;
  readonly pages: PageKind;
  /** Further options of the pages. */
  readonly options?: object;
}

/** Share of all URLs that the first job gets; it runs throughout. */
const LARGEST_PART = 0.3;

/** Plans jobs of many sizes with a given number of URLs in all. One in five is cancelled, one in three is created three times. */
export function planJobs(
  { prefix, urls, jobs, pages, options = {} }: JobPlanOptions,
  random: Random,
): PlannedJob[] {
  const plan: PlannedJob[] = [];
  for (let left = urls; left > 0; ) {
    const number = plan.length;
    const isLast = number === jobs - 1;
    const mean = left / Math.max(1, jobs - number);
    const wanted = number === 0 ? Math.ceil(urls * LARGEST_PART) : random.between(1, Math.ceil(mean * 2));
    const size = isLast ? left : Math.min(left, wanted);
    plan.push({
      tokens: Array.from({ length: size }, (_, index) => tokenOf(`${prefix}-${number}`, index)),
      idempotencyKey: `${prefix}-${number}`,
      pages,
      options,
      timesAtOnce: number % 3 === 2 ? 3 : 1,
      isCancelled: number % 5 === 4,
    });
    left -= size;
  }
  return plan;
}

function tokenOf(prefix: string, index: number): string {
  return `${prefix}-${index}${index % 17 === 16 ? '-missing' : ''}`;
}
