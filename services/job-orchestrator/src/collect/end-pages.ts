import type { Broker } from '@gleaner/broker';
import {
  type DispatchHint,
  type DropReason,
  type Failure,
  fileIdPrefixOf,
  isStrain,
  jobIdOf,
  type PageChange,
  type PageKind,
  type SkipReason,
  totalCredits,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { CrawlAdditions, PageEnd, StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { chargePages } from '../finish/charge-pages.ts';
import type { Finisher } from '../finish/finisher.ts';
import type { OrchestratorMetrics } from '../orchestrator-metrics.ts';
import type { FrontierAdditions } from './grow-crawl.ts';
import type { JobTermsCache } from './job-terms-cache.ts';

/** Collaborators of ending attempts. */
export interface EndPagesDeps {
  readonly retentionMs: number;
  readonly finisher: Pick<Finisher, 'add' | 'inSteps'>;
  readonly stores: Stores;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly terms: JobTermsCache;
  readonly metrics: OrchestratorMetrics;
  readonly hint: (hint: Partial<DispatchHint>) => void;
}

/** Pages whose attempts end, as they were stored before, by id, and the additions to crawls, by job id. */
export interface EndContext {
  readonly pages: ReadonlyMap<string, StoredPage>;
  readonly additions: ReadonlyMap<string, FrontierAdditions>;
}

/** Ends attempts, durably, and then does everything that follows from it; jobs are finished in the background. */
export async function endPages(
  ends: readonly PageEnd[],
  { pages, additions }: EndContext,
  at: Date,
  deps: EndPagesDeps,
): Promise<void> {
  const isWhole = (await deps.stores.pages.end(ends, at)) === ends.length;
  const valid = isWhole ? ends : await findValid(ends, deps);
  // If only some ends were new, it is not known which: the reconciler counts them, or the end of the job does.
  const fresh = isWhole ? ends : [];
  await deleteFiles(ends, valid, deps);
  hintDispatcher(ends, { pages, additions }, deps);
  const jobIds = new Set(valid.filter(({ state }) => state !== 'waiting').map(({ id }) => jobIdOf(id)));
  const [jobs] = await Promise.all([
    Promise.all([...jobIds].map((jobId) => countFinished(jobId, fresh, { pages, additions }, deps))),
    chargeAndRelease(valid, at, deps),
  ]);
  for (const job of jobs) {
    const isUncounted = job?.restFailure !== undefined || fresh.length === 0;
    if (job && (job.crawl || job.completedUrls >= job.totalUrls || isUncounted)) deps.finisher.add(job);
  }
  for (const end of fresh) deps.metrics.pages.inc({ outcome: outcomeOf(end) });
}

/** Returns the ends that are stored, by this call or by an earlier delivery of the same messages. */
async function findValid(ends: readonly PageEnd[], { stores }: EndPagesDeps): Promise<PageEnd[]> {
  const pages = await stores.pages.findPages(ends.map(({ id }) => id));
  const stored = new Map(pages.map((page) => [page.id, page]));
  return ends.filter(({ id, attempt, state }) => {
    const page = stored.get(id);
    return page?.attempt === attempt && page.state === state;
  });
}

/** Deletes the files of attempts without a result, and of attempts already over when their outcome arrived. */
async function deleteFiles(
  ends: readonly PageEnd[],
  valid: readonly PageEnd[],
  { stores, terms }: EndPagesDeps,
): Promise<void> {
  for (const [jobId, ofJob] of Map.groupBy(ends, ({ id }) => jobIdOf(id))) {
    const { options, accountId } = (await terms.find(jobId)) ?? {};
    if (!options?.download || accountId === undefined) continue;
    const left = ofJob.filter((end) => end.state !== 'succeeded' || !valid.includes(end));
    const stored = left.length === 0 ? [] : await stores.pages.findPages(left.map(({ id }) => id));
    const kept = new Map(
      stored.flatMap((page) => (page.state === 'succeeded' ? [[page.id, page.attempt]] : [])),
    );
    for (const { id, attempt } of left) {
      if (kept.get(id) !== attempt) await stores.files.deleteByPrefix(accountId, fileIdPrefixOf(id, attempt));
    }
  }
}

/** Charges succeeded pages, and releases the credits held for failed ones. */
async function chargeAndRelease(
  ends: readonly PageEnd[],
  at: Date,
  { stores, terms }: EndPagesDeps,
): Promise<void> {
  const byJob = Map.groupBy(ends, ({ id }) => jobIdOf(id));
  await Promise.all(
    [...byJob].map(async ([jobId, jobEnds]) => {
      const jobTerms = await terms.find(jobId);
      if (!jobTerms) return;
      const succeeded = jobEnds.flatMap((end) =>
        'price' in end ? [{ id: end.id, price: end.price, at }] : [],
      );
      if (succeeded.length > 0) await chargePages(jobTerms, succeeded, stores);
      const uncharged = jobEnds.filter((end) => end.state !== 'waiting' && !('price' in end));
      if (uncharged.length === 0 || !(await terms.hasBalance(jobTerms))) return;
      for (const { id } of uncharged) {
        await stores.credits.endReservations({ accountId: jobTerms.accountId, operationPrefix: id, at });
      }
    }),
  );
}

/** Adds newly finished pages to the job's counters, with their copies; returns the job, or null if it is finished or deleted. */
async function countFinished(
  jobId: string,
  fresh: readonly PageEnd[],
  { pages, additions }: EndContext,
  { stores, terms }: EndPagesDeps,
): Promise<StoredJob | null> {
  const isCounted = ({ id, state }: PageEnd) =>
    state !== 'waiting' && state !== 'done' && jobIdOf(id) === jobId;
  const finished = fresh.filter(isCounted);
  const { hasCopies = false, hasBudget = false, crawl } = (await terms.find(jobId)) ?? {};
  const copies = hasCopies ? await stores.pages.findCopies(finished.map(({ id }) => id)) : new Map();
  const countUrls = (ends: readonly PageEnd[]) =>
    ends.reduce((sum, { id }) => sum + 1 + (copies.get(id) ?? 0), 0);
  const completedUrls = countUrls(finished);
  const failedUrls = countUrls(finished.filter(({ state }) => state === 'failed'));
  const creditsUsed = finished.reduce((sum, end) => sum + ('price' in end ? totalCredits(end.price) : 0), 0);
  const verdicts = new Map<PageKind, number>();
  for (const end of finished) {
    const page = 'verdict' in end ? end.verdict : undefined;
    if (page) verdicts.set(page, (verdicts.get(page) ?? 0) + countUrls([end]));
  }
  const counters = {
    completedUrls,
    failedUrls,
    creditsUsed,
    verdicts,
    ...(hasBudget && { fetched: finished.length }),
  };
  if (!crawl) return await stores.jobs.countEnded(jobId, counters);
  const isFresh = fresh.some(({ id }) => jobIdOf(id) === jobId);
  const frontier = isFresh ? additions.get(jobId) : undefined;
  return await stores.jobs.countEnded(jobId, counters, additionsOf(finished, pages, frontier));
}

/** Returns what newly finished pages add to the counters of their crawl. */
function additionsOf(
  finished: readonly PageEnd[],
  pages: EndContext['pages'],
  { admitted, dropped }: FrontierAdditions = { admitted: 0, dropped: new Map<DropReason, number>() },
): CrawlAdditions {
  const skipped = new Map<SkipReason, number>();
  for (const end of finished) {
    if (end.state === 'skipped') skipped.set(end.skip, (skipped.get(end.skip) ?? 0) + 1);
  }
  const unstarted = finished.filter(({ state }) => state === 'skipped').length;
  const depths = finished.flatMap(({ id }) => pages.get(id)?.crawled?.depth ?? []);
  return {
    admitted,
    dropped,
    fetched: finished.length - unstarted,
    visited: finished.filter(({ state }) => state === 'visited').length,
    missing: finished.filter(({ state }) => state === 'missing').length,
    unstarted,
    depth: Math.max(0, ...depths),
    skipped,
    changes: countChanges(finished, pages),
  };
}

function countChanges(ends: readonly PageEnd[], pages: EndContext['pages']) {
  const counts = new Map<PageChange | 'unlinked', number>();
  const count = (change: PageChange | 'unlinked') => counts.set(change, (counts.get(change) ?? 0) + 1);
  for (const end of ends) {
    if (!('change' in end) || end.change === undefined) continue;
    count(end.change);
    if (end.change !== 'gone' && pages.get(end.id)?.crawled?.isUnlinked) count('unlinked');
  }
  return counts;
}

/** Returns whether a host asks for no requests until its Retry-After (RFC 9110 section 10.2.3, RFC 6585 section 4). */
function asksForPause({ code, source, targetStatusCode, retryAfterSeconds }: Failure): boolean {
  if (source !== 'target') return false;
  return code === 'RATE_LIMITED' || (targetStatusCode === 503 && retryAfterSeconds !== undefined);
}

function hintDispatcher(
  ends: readonly PageEnd[],
  { pages, additions }: EndContext,
  { hint, stores }: EndPagesDeps,
): void {
  const slowHosts = ends.flatMap((end) => {
    const failure = 'failure' in end ? end.failure : undefined;
    const host = pages.get(end.id)?.host;
    if (!failure || !asksForPause(failure) || host === undefined) return [];
    const untilMs = stores.clock.nowMs() + (failure.retryAfterSeconds ?? 0) * 1000;
    return [{ host, untilMs: Math.ceil(untilMs) }];
  });
  const read = ends.flatMap(({ id, state }) => (state === 'done' ? [jobIdOf(id)] : []));
  hint({
    hasNewWork: ends.some(({ state }) => state === 'waiting'),
    endedPageIds: ends.map(({ id }) => id),
    strainedPageIds: ends.flatMap((end) =>
      'failure' in end && end.failure && isStrain(end.failure) ? [end.id] : [],
    ),
    unstartedPageIds: ends.flatMap((end) =>
      end.state === 'waiting' && end.because === 'unsent' ? [end.id] : [],
    ),
    grownJobIds: [...new Set([...additions.keys(), ...read])],
    slowHosts,
  });
}

function outcomeOf(end: PageEnd): string {
  if (end.state === 'waiting') return `again: ${end.because}`;
  if ('failure' in end && end.failure) return end.failure.code;
  return end.state === 'skipped' ? `skipped: ${end.skip}` : 'success';
}
