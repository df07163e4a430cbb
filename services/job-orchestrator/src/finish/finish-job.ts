import { defined, type Warning } from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import type { PageCounts, StoredJob, Stores } from '@gleaner/storage';
import { crawlTermsOf, unmatchedPatternsOf } from '../crawl/crawl-terms.ts';
import { findDatasetChange } from '../datasets/find-change.ts';
import type { WriteRecordsDeps } from '../datasets/page-records.ts';
import { warningsOfTexts } from '../review/repeated-texts.ts';
import { type EndedJob, type Findings, isReviewed, NO_FINDINGS } from '../review/reviewer.ts';
import { findJudged } from '../review/watch-health.ts';
import type { InSteps } from '../steps.ts';
import { addBatches } from './add-batches.ts';
import { changeState, type EventDeps, sendEvents } from './change-state.ts';
import { chargePages, type JobTerms, termsOf } from './charge-pages.ts';
import type { JobTrigger } from './job-machine.ts';
import { sumCharges, type Tally, tallyEntries, urlCountsOf } from './recount.ts';

/** Collaborators of finishing a job. */
export interface FinishDeps extends EventDeps, WriteRecordsDeps {
  readonly stores: Pick<
    Stores,
    'clock' | 'jobs' | 'pages' | 'credits' | 'datasets' | 'health' | 'repeatedTexts'
  >;
  readonly tracer?: Pick<Tracer, 'note'>;
}

/** Time after the end of its retention in which a process deletes a job. */
const EXPIRY_GRACE_MS = 30 * 24 * 3600 * 1000;

/** Result of finishing a job: the job, or what has to be reviewed first. */
export type FinishStep = { readonly finished: StoredJob } | { readonly toReview: EndedJob };

/**
 * Finishes a job whose pages have all finished: every success is in the ledger first, results are in their batches, and the
 * counters are recounted.
 * Returns null if the job has unfinished pages or was finished already. Safe to repeat, and from several processes.
 */
export async function finishJob(
  job: StoredJob,
  deps: FinishDeps,
  inSteps: InSteps,
  reviewed?: Findings,
): Promise<FinishStep | null> {
  const { stores, retentionMs } = deps;
  if (await stores.pages.hasUnfinished(job.id)) return null;
  const tally = await tallyEntries(job.id, deps, inSteps);
  const trigger = triggerOf(tally.entries, job);
  if (trigger === undefined) return null;
  const ended = { job, hasResults: trigger !== 'all-failed' };
  const isCancelled = trigger === 'cancelled';
  if (!isCancelled && !reviewed && isReviewed(ended)) return { toReview: ended };
  const findings = isCancelled ? await findingsOfCancelled(job, deps) : (reviewed ?? NO_FINDINGS);
  await warnOfPatterns(job, deps);
  await addBatches(job, deps, inSteps);
  const creditsUsed = await chargeAll(termsOf(job), tally.counts, deps, inSteps);
  const { entries, verdicts } = tally;
  const counters = {
    ...urlCountsOf(entries),
    creditsUsed,
    ...(Object.keys(verdicts).length > 0 && { verdicts }),
    ...(await finalCrawl(job, tally, deps)),
  };
  const { datasetChange, warnings: ofDataset } = await findDatasetChange(job, deps);
  const completedAt = stores.clock.now();
  const retainedUntil = new Date(completedAt.getTime() + retentionMs);
  const expiresAt = new Date(retainedUntil.getTime() + EXPIRY_GRACE_MS);
  const times = { completedAt, retainedUntil, expiresAt };
  const finished = await changeState(
    job.id,
    trigger === 'all-succeeded' && findings.warnings.length > 0 ? 'some-failed' : trigger,
    {
      ...counters,
      ...times,
      ...defined({ datasetChange }),
      ...setOf(findings, [...ofDataset, ...(await warningsOfTexts(job.id, deps))]),
    },
    deps,
  );
  if (finished) {
    noteSpan(finished, completedAt, deps);
    await sendEvents(finished, deps);
  }
  return finished && { finished };
}

/** Returns the findings of a cancelled job: it may have been judged before it was cancelled, and the fall is announced. */
async function findingsOfCancelled(job: StoredJob, deps: FinishDeps): Promise<Findings> {
  return { ...NO_FINDINGS, change: await findJudged(job, deps) };
}

function setOf({ comparison, change, told, warnings: ofFields }: Findings, others: readonly Warning[]) {
  const warnings = [...ofFields, ...others];
  return {
    ...(comparison && { comparison }),
    ...(change && { healthJson: JSON.stringify(change) }),
    ...(told && { told }),
    ...(warnings.length > 0 && { warnings }),
  };
}

const MAX_NAMED_PATTERNS = 5;

/** Adds a warning to a crawl about its patterns that no URL has matched: people write such by mistake. */
async function warnOfPatterns(job: StoredJob, { stores }: FinishDeps): Promise<void> {
  const terms = crawlTermsOf(job);
  const [progress] = terms ? await stores.jobs.findProgress([job.id]) : [];
  const unmatched = (terms && progress?.crawl && unmatchedPatternsOf(terms, progress)) ?? [];
  if (unmatched.length === 0) return;
  const named = unmatched.slice(0, MAX_NAMED_PATTERNS).join(', ');
  const others = unmatched.length - MAX_NAMED_PATTERNS;
  await stores.jobs.warnOfCrawl(job.id, {
    code: 'PATTERN_UNMATCHED',
    message: `No URL in the scope of the crawl matched ${named}${others > 0 ? ` and ${others} more` : ''}. Compare the patterns with the URLs in GET /v1/jobs/${job.id}/urls.`,
  });
}

/** Records the whole life of a job as a span. */
function noteSpan(job: StoredJob, completedAt: Date, { tracer }: FinishDeps): void {
  const { traceparent: parent, createdAt, id, status, totalUrls, failedUrls } = job;
  if (parent === undefined) return;
  tracer?.note({
    name: 'job',
    parent,
    startedAtMs: createdAt.getTime(),
    durationMs: completedAt.getTime() - createdAt.getTime(),
    attributes: {
      'gleaner.job.id': id,
      'gleaner.job.status': status,
      'gleaner.job.urls': totalUrls,
      'gleaner.job.failed': failedUrls,
    },
  });
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

/** Returns the exact counters of a crawl whose pages have all finished; nothing for other jobs. */
async function finalCrawl({ id }: StoredJob, { entries, skipped, changes }: Tally, { stores }: FinishDeps) {
  const [job] = await stores.jobs.findProgress([id]);
  if (!job?.crawl) return {};
  const { succeeded, visited, failed, missing, cancelled } = entries;
  const fetched = succeeded + visited + failed + missing;
  const exact = { started: fetched, fetched, visited, missing, skipped };
  return {
    totalUrls: urlCountsOf(entries).completedUrls + cancelled,
    crawl: { ...exact, ...(job.crawl.since && { changes }) },
  };
}

const CHUNK = 500;

/** Charges every page that succeeded and was not charged; returns the sum of all charges. */
export async function chargeAll(
  terms: JobTerms,
  { succeeded, visited }: PageCounts,
  deps: FinishDeps,
  inSteps: InSteps,
): Promise<number> {
  const { stores } = deps;
  const { operations, credits } = await sumCharges(terms.id, deps, inSteps);
  if (operations >= succeeded + visited) return credits;
  let afterId = '';
  for (;;) {
    const lastId = await inSteps(async () => {
      const pages = await stores.pages.findProcessed(terms.id, { afterId, limit: CHUNK });
      const at = stores.clock.now();
      const charged = pages.flatMap(({ id, price }) => (price ? [{ id, price, at }] : []));
      await chargePages(terms, charged, stores);
      return pages.at(-1)?.id;
    });
    if (lastId === undefined) break;
    afterId = lastId;
  }
  return (await sumCharges(terms.id, deps, inSteps)).credits;
}
