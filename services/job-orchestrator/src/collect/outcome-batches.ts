import { type FoundLink, LARGE_RESULT_LENGTH, lengthOfPage } from '@gleaner/contracts';
import { Batches } from './batch.ts';
import type { CollectedOutcome } from './collected-outcome.ts';
import type { JobTermsCache } from './job-terms-cache.ts';

const BATCH_RULES = { maxItems: 100, maxBytes: 16 * 1024 * 1024 };
/** Weight of a link in a batch: those of one batch are at most 4,096, or those of one page. */
const BYTES_PER_LINK = 4096;

/** Knowledge of this process about the jobs of outcomes. */
interface KnownJobs {
  readonly terms: Pick<JobTermsCache, 'peek'>;
  /** Returns whether no page of a job waits or is running. */
  isDrained(jobId: string): boolean;
}

/**
 * Returns a function to collect an outcome in a batch: with others of its crawl, since storing links takes long, or
 * with those of all other jobs. It resolves when the outcome is stored.
 */
export function batchOutcomes(
  collect: (outcomes: readonly CollectedOutcome[]) => Promise<void>,
  { terms, isDrained }: KnownJobs,
): (collected: CollectedOutcome) => Promise<void> {
  const jobOf = ({ jobId }: CollectedOutcome): JobOfOutcome => {
    const known = terms.peek(jobId);
    return {
      isKnown: known !== undefined,
      isCrawl: known?.crawl !== undefined,
      isDrained: isDrained(jobId),
    };
  };
  const batches = new Batches<CollectedOutcome>(collect, {
    ...BATCH_RULES,
    bytesOf: weightOf,
    patienceMsOf: (outcome) => patienceMsOf(outcome, jobOf(outcome)),
  });
  return (collected) => {
    const isOfCrawl = jobOf(collected).isCrawl || linksOf(collected) !== undefined;
    return batches.add(isOfCrawl ? collected.jobId : '', collected);
  };
}

/** Returns the links that a page of a crawl, or a sitemap, leads to. */
function linksOf({ outcome }: CollectedOutcome): readonly FoundLink[] | undefined {
  if (outcome.kind === 'sitemap') return outcome.links;
  return outcome.kind === 'found' ? outcome.crawl?.links : undefined;
}

function weightOf(collected: CollectedOutcome): number {
  return lengthOfPage(collected.outcome) + BYTES_PER_LINK * (linksOf(collected)?.length ?? 0);
}

/**
 * Times in milliseconds that an outcome waits for others, since small batches cost more than they save: each takes five
 * commands to the database. Others than plain results make something else wait: a host that has to be left alone, the
 * links of a crawl, or the few large messages that are taken at once.
 */
export const PATIENCE_MS = { plain: 200, other: 75 } as const;

/** Job of an outcome as this process knows it. */
interface JobOfOutcome {
  /** False for the first outcomes of a job, which may be all of it. */
  readonly isKnown: boolean;
  readonly isCrawl: boolean;
  /** True if none of its pages waits or is running: this outcome may be its last. */
  readonly isDrained: boolean;
}

/** Returns the time that an outcome may wait for others to be stored with; callers may be waiting for the end of a job. */
export function patienceMsOf({ outcome, screenshotId }: CollectedOutcome, job: JobOfOutcome): number {
  if (!job.isKnown || job.isDrained) return 0;
  const isPlain = outcome.kind === 'found' && screenshotId === undefined && !job.isCrawl;
  return isPlain && lengthOfPage(outcome) <= LARGE_RESULT_LENGTH ? PATIENCE_MS.plain : PATIENCE_MS.other;
}
