import {
  CHANGE_FILTERS,
  type CrawlChanges,
  PAGE_KINDS,
  SKIP_REASONS,
  type VerdictCounts,
} from '@gleaner/contracts';
import { PAGE_STATES, type PageCounts, type PageTally, type StoredJob, type Stores } from '@gleaner/storage';
import type { InSteps } from '../steps.ts';

/** Collaborators of counting. */
export interface CountDeps {
  readonly stores: Pick<Stores, 'jobs' | 'pages' | 'credits'>;
}

/** Numbers of the pages and entries of a job. */
export interface Tally {
  /** Pages in each state. */
  readonly counts: PageCounts;
  /** Entries in each state: the pages and their copies. */
  readonly entries: PageCounts;
  readonly skipped: Readonly<Record<(typeof SKIP_REASONS)[number], number>>;
  readonly changes: CrawlChanges;
  /** Entries with a result, by the kind of page that it comes from; kinds without any are left out. */
  readonly verdicts: VerdictCounts;
}

type Recounted = Pick<StoredJob, 'recountedAt' | 'startedAt' | 'createdAt' | 'totalUrls'>;

const PAGES_PER_STEP = 2000;
/** After the clock of any process. */
const END_OF_TIME = new Date('9999-12-31T00:00:00.000Z');
/** Time in which a finished page is counted, unless its process has died. */
const COUNTED_WITHIN_MS = 30_000;
/** Pages that recounts of a job read per second on average: large jobs are recounted less often. */
const PAGES_PER_SECOND = 500;

/** Counts the pages and entries of a job, in steps; with `before`, without pages that finished at this time or later. */
export async function tallyEntries(
  jobId: string,
  { stores }: CountDeps,
  inSteps: InSteps,
  before = END_OF_TIME,
): Promise<Tally> {
  const all: PageTally[] = [];
  let afterId = '';
  for (;;) {
    const part = { afterId, limit: PAGES_PER_STEP, before };
    const { rows, lastId } = await inSteps(() => stores.pages.tallyPages(jobId, part));
    if (lastId === undefined) break;
    all.push(...rows.filter(({ isRecent }) => !isRecent));
    afterId = lastId;
  }
  const sumOf = (isCounted: (row: PageTally) => boolean, numberOf: (row: PageTally) => number) =>
    all.reduce((sum, row) => (isCounted(row) ? sum + numberOf(row) : sum), 0);
  const pagesOf = ({ pages }: PageTally) => pages;
  const entriesOf = ({ pages, copies }: PageTally) => pages + copies;
  const byState = (numberOf: (row: PageTally) => number) =>
    numbersBy(PAGE_STATES, (state) => sumOf((row) => row.state === state, numberOf));
  const byKind = numbersBy(PAGE_KINDS, (page) => sumOf(({ verdict }) => verdict === page, entriesOf));
  const isUnlinked = ({ isUnlinked: is, change }: PageTally) =>
    is === true && change !== undefined && change !== 'gone';
  return {
    counts: byState(pagesOf),
    entries: byState(entriesOf),
    skipped: numbersBy(SKIP_REASONS, (reason) =>
      sumOf((row) => row.state === 'skipped' && row.skip === reason, pagesOf),
    ),
    changes: numbersBy(CHANGE_FILTERS, (change) =>
      sumOf((row) => (change === 'unlinked' ? isUnlinked(row) : row.change === change), pagesOf),
    ),
    verdicts: Object.fromEntries(Object.entries(byKind).filter(([, count]) => count > 0)),
  };
}

function numbersBy<Name extends string>(names: readonly Name[], numberOf: (name: Name) => number) {
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>;
}

/** Sums the charges of a job, in steps; with `before`, those before this time. */
export async function sumCharges(
  jobId: string,
  { stores }: CountDeps,
  inSteps: InSteps,
  before = END_OF_TIME,
) {
  const sum = { operations: 0, credits: 0 };
  let afterId = '';
  for (;;) {
    const part = { afterId, limit: PAGES_PER_STEP, before };
    const { operations, credits, lastId } = await inSteps(() =>
      stores.credits.sumSomeCharges(`${jobId}:`, part),
    );
    sum.operations += operations;
    sum.credits += credits;
    if (lastId === undefined) return sum;
    afterId = lastId;
  }
}

/** Returns the counters of the URLs of a job with these counts of entries. */
export function urlCountsOf({ succeeded, visited, failed, missing, skipped }: PageCounts) {
  return { completedUrls: succeeded + visited + failed + missing + skipped, failedUrls: failed };
}

/**
 * Returns whether a running job is due for a recount, which is rare because it reads every page of the job: the larger the
 * job, the rarer. Counters are behind until then only if an orchestrator died, and are exact when the job finishes.
 */
export function isRecountDue(job: Recounted, now: Date, recountAfterMs: number): boolean {
  const since = job.recountedAt ?? job.startedAt ?? job.createdAt;
  const periodMs = Math.max(recountAfterMs, (job.totalUrls / PAGES_PER_SECOND) * 1000);
  return now.getTime() - since.getTime() >= periodMs;
}

/**
 * Raises the counters of a running job to what its pages say: an orchestrator may have died between the end of a page
 * and its count. Pages that have just finished are left out, since they are being counted.
 */
export async function correctCounters(
  { id, crawl, budget }: Pick<StoredJob, 'id' | 'crawl' | 'budget'>,
  now: Date,
  deps: CountDeps,
  inSteps: InSteps,
): Promise<void> {
  const before = new Date(now.getTime() - COUNTED_WITHIN_MS);
  const { counts, entries, verdicts } = await tallyEntries(id, deps, inSteps, before);
  const { operations, credits: creditsUsed } = await sumCharges(id, deps, inSteps, before);
  const { succeeded, visited, failed, missing } = entries;
  const urls = urlCountsOf(entries);
  await deps.stores.jobs.raiseCounters(
    id,
    {
      ...urls,
      creditsUsed,
      ...Object.fromEntries(Object.entries(verdicts).map(([page, count]) => [`verdicts.${page}`, count])),
      // A page whose charge is not in the ledger yet counts with the most that it may cost.
      ...(budget && operations >= counts.succeeded && { 'budget.fetched': counts.succeeded + counts.failed }),
      // Counters of a crawl that pages counted so far do not fall short of.
      ...(crawl && {
        totalUrls: urls.completedUrls,
        'crawl.fetched': succeeded + visited + failed + missing,
        'crawl.visited': visited,
        'crawl.missing': missing,
      }),
    },
    now,
  );
}
