import type { Random } from './random.ts';

/** How pages are come by. */
export type PageKind = 'plain' | 'rendered';

/** What a job is asked to do. */
export interface JobOrder {
  readonly tokens: readonly string[];
  readonly idempotencyKey: string;
  readonly pages: PageKind;
}

/** A job that is to be created. */
export interface PlannedJob extends JobOrder {
  /** How often it is created at once, under its one key. */
  readonly timesAtOnce: number;
  readonly isCancelled: boolean;
}

export interface JobPlanOptions {
  /** Begins every token and key; unique among all runs against one database. */
  readonly prefix: string;
  readonly urls: number;
  readonly jobs: number;
  readonly pages: PageKind;
}

/** The part of all URLs that the first job gets: it runs while the others come and go. */
const LARGEST_PART = 0.3;

/** Jobs of many sizes, that have so many URLs in all; one in five is cancelled on the way, one in three comes thrice. */
export function planJobs({ prefix, urls, jobs, pages }: JobPlanOptions, random: Random): PlannedJob[] {
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
