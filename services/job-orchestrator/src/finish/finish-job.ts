import { SKIP_REASONS } from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import type { PageCounts, StoredJob, Stores } from '@gleaner/storage';
import { addUnlinked } from '../compare/add-unlinked.ts';
import type { Comparer } from '../compare/comparer.ts';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import type { JobTrigger } from '../states/job-machine.ts';
import { addBatches } from './add-batches.ts';
import { changeState } from './change-state.ts';
import { chargePages, type JobTerms, termsOf } from './charge-pages.ts';
import { countEntries } from './count-entries.ts';
import { type EventDeps, sendEvents } from './send-events.ts';

/** Collaborators of finishing a job. */
export interface FinishDeps extends EventDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'credits'>;
  readonly retentionMs: number;
  readonly comparer: Pick<Comparer, 'find'>;
  readonly tracer?: Pick<Tracer, 'note'>;
}

/**
 * Finishes a job whose pages have all finished: every success is in the ledger first, results are in their batches, and the
 * counters are recounted.
 * Returns null if the job has unfinished pages, is compared with the run before it at present, or was finished already. Safe to repeat, and from several processes.
 */
export async function finishJob(job: StoredJob, deps: FinishDeps): Promise<StoredJob | null> {
  const { stores, retentionMs } = deps;
  if (await stores.pages.hasUnfinished(job.id)) return null;
  if (await hasUnlinked(job, deps)) return await finishJob(job, deps);
  const counts = await stores.pages.countPages(job.id);
  const entries = await countEntries(job, counts, stores);
  const trigger = triggerOf(entries, job);
  if (trigger === undefined) return null;
  const isSuccess = trigger === 'all-succeeded' || trigger === 'some-failed';
  const comparison = isSuccess ? deps.comparer.find(job) : null;
  if (comparison === undefined) return null;
  await addBatches(job, deps);
  const creditsUsed = await chargeAll(termsOf(job), counts, deps);
  const counters = { ...urlCountsOf(entries), creditsUsed, ...(await finalCrawl(job, entries, deps)) };
  const completedAt = deps.stores.clock.now();
  const expiresAt = new Date(completedAt.getTime() + retentionMs);
  const finished = await changeState(
    job.id,
    trigger,
    { ...counters, ...(comparison && { comparison }), completedAt, expiresAt },
    deps,
  );
  if (finished) {
    noteSpan(finished, completedAt, deps);
    await sendEvents(finished, deps);
  }
  return finished;
}

/** Records the whole life of a job as a span. */
function noteSpan(job: StoredJob, completedAt: Date, { tracer }: FinishDeps): void {
  const { traceparent: parent, createdAt, id, status, totalUrls, failedUrls } = job;
  if (parent === undefined) return;
  tracer?.note({
    ...{ name: 'job', parent, startedAtMs: createdAt.getTime() },
    durationMs: completedAt.getTime() - createdAt.getTime(),
    attributes: {
      'gleaner.job.id': id,
      'gleaner.job.status': status,
      'gleaner.job.urls': totalUrls,
      'gleaner.job.failed': failedUrls,
    },
  });
}

/** Adds the pages that only the crawls before led to, once; returns whether it did. */
async function hasUnlinked(job: StoredJob, deps: FinishDeps): Promise<boolean> {
  const terms = job.crawl?.since && crawlTermsOf(job);
  if (!terms) return false;
  const [progress] = await deps.stores.jobs.findProgress([job.id]);
  return progress !== undefined && (await addUnlinked(progress, terms, deps));
}

/**
 * Returns the trigger that finishes a job with these counts of entries; undefined while pages are unfinished. The job may
 * have been read before its cancellation was noted, and its pages counted after it: then cancelled pages decide.
 */
export function triggerOf(
  counts: PageCounts,
  { totalUrls, cancelRequestedAt, crawl }: Pick<StoredJob, 'totalUrls' | 'cancelRequestedAt' | 'crawl'>,
): JobTrigger | undefined {
  const { waiting, running, succeeded, visited, failed, missing, skipped, cancelled } = counts;
  const finished = succeeded + visited + failed + missing + skipped + cancelled;
  // A crawl knows its pages only when all of them have finished.
  if (waiting + running > 0 || (!crawl && finished < totalUrls)) return undefined;
  if (cancelRequestedAt || cancelled > 0) return 'cancelled';
  if (failed === 0) return 'all-succeeded';
  return succeeded + visited === 0 ? 'all-failed' : 'some-failed';
}

/** Returns the counters of the URLs of a job with these counts of entries. */
export function urlCountsOf({ succeeded, visited, failed, missing, skipped }: PageCounts) {
  return { completedUrls: succeeded + visited + failed + missing + skipped, failedUrls: failed };
}

/** Returns the exact counters of a crawl whose pages have all finished; nothing for other jobs. */
async function finalCrawl({ id }: StoredJob, counts: PageCounts, { stores }: FinishDeps) {
  const [job] = await stores.jobs.findProgress([id]);
  if (!job?.crawl) return {};
  const { succeeded, visited, failed, missing, cancelled } = counts;
  const fetched = succeeded + visited + failed + missing;
  const skipped = await stores.pages.countSkipped(id);
  const exact = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, skipped.get(reason) ?? 0]));
  return {
    totalUrls: urlCountsOf(counts).completedUrls + cancelled,
    crawl: {
      ...{ ...job.crawl, started: fetched, fetched, missing, skipped: exact as typeof job.crawl.skipped },
      ...(job.crawl.since && { changes: await stores.pages.countChanges(id) }),
    },
  };
}

const CHUNK = 500;

/** Charges every page that succeeded and was not charged; returns the sum of all charges. */
async function chargeAll(terms: JobTerms, counts: PageCounts, { stores }: FinishDeps): Promise<number> {
  const prefix = `${terms.id}:`;
  const { operations, credits } = await stores.credits.sumCharges(prefix);
  if (operations >= counts.succeeded + counts.visited) return credits;
  let afterId = '';
  for (;;) {
    const pages = await stores.pages.findProcessed(terms.id, { afterId, limit: CHUNK });
    const at = stores.clock.now();
    const succeeded = pages.flatMap(({ id, price }) => (price ? [{ id, price, at }] : []));
    await chargePages(terms, succeeded, stores);
    const last = pages.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  return (await stores.credits.sumCharges(prefix)).credits;
}
