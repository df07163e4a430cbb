import {
  type ChangeCounts,
  type CrawlProgress,
  defined,
  type Job,
  PAGE_KINDS,
  type VerdictCounts,
} from '@gleaner/contracts';
import type { Comparison, CrawlState } from './job-model.ts';
import { datasetOf, type JobProgress } from './stored-job.ts';

/** Returns a job as the API shows it. */
export function describeJob(job: JobProgress): Job {
  const { id, name, status, completedUrls, failedUrls, creditsUsed, scheduleId, rerunOf, extractOf } = job;
  const { crawl, comparison, verdicts, warnings } = job;
  // After a crash, pages of a crawl may have finished before they were counted as known.
  const totalUrls = Math.max(job.totalUrls, completedUrls);
  return {
    id,
    name,
    ...defined({ hosts: job.hosts }),
    status,
    totalUrls,
    completedUrls,
    failedUrls,
    creditsUsed,
    ...(verdicts && { verdicts: inOrder(verdicts) }),
    ...(crawl && { crawl: describeCrawl(crawl, totalUrls - completedUrls) }),
    ...(comparison && { changes: countsOf(comparison) }),
    ...(warnings && { warnings: [...warnings] }),
    ...(job.datasetJson && { dataset: { name: datasetOf(job.datasetJson).name, ...job.datasetChange } }),
    ...(job.sinkJson && { sink: JSON.parse(job.sinkJson) }),
    ...(scheduleId && { scheduleId }),
    ...(rerunOf && { rerunOf }),
    ...(extractOf && { extractOf }),
    createdAt: job.createdAt.toISOString(),
    ...(job.startedAt && { startedAt: job.startedAt.toISOString() }),
    ...(job.completedAt && { completedAt: job.completedAt.toISOString() }),
  };
}

/** Orders counts as the kinds of pages are: the database keeps the order in which they were first counted. */
function inOrder(counts: VerdictCounts): VerdictCounts {
  return Object.fromEntries(PAGE_KINDS.flatMap((page) => (counts[page] ? [[page, counts[page]]] : [])));
}

function countsOf({ added, removed, changed }: Comparison): ChangeCounts {
  return { added, removed, changed };
}

const LATER_REASONS: Partial<CrawlState['skipped']> = { duplicate: 0, trap: 0 };

function describeCrawl(crawl: CrawlState, unfinished: number): CrawlProgress {
  const {
    started,
    fetched,
    visited = 0,
    missing,
    depth,
    hosts,
    skipped,
    dropped,
    stoppedBy,
    warnings,
    since,
    changes,
  } = crawl;
  const running = Math.max(0, Math.min(started - fetched, unfinished));
  return {
    fetched,
    results: fetched - visited,
    waiting: unfinished - running,
    running,
    depth,
    hosts: hosts.length,
    notFound: missing,
    // Crawls of earlier versions lack some reasons.
    skipped: { ...LATER_REASONS, ...skipped },
    dropped,
    ...defined({ stoppedBy }),
    ...(since?.[0] !== undefined && { since: since[0] }),
    ...defined({ changes }),
    ...(warnings.length > 0 && { warnings }),
  };
}
