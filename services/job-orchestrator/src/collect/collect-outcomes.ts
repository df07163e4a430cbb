import type { Broker } from '@gleaner/broker';
import { type DispatchHint, jobIdOf, type PageOutcome, totalCredits } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { NewResult, PageEnd, StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { chargePages } from '../finish/charge-pages.ts';
import { type FinishDeps, finishJob } from '../finish/finish-job.ts';
import type { OrchestratorMetrics } from '../orchestrator-metrics.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import type { JobTermsCache } from './job-terms-cache.ts';
import type { CollectedOutcome } from './keep-screenshot.ts';
import { renderResult, screenshotUrlOf } from './render-result.ts';

/** Collaborators of collecting. */
export interface CollectDeps extends FinishDeps {
  readonly stores: Stores;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly rules: RetryRules;
  readonly terms: JobTermsCache;
  readonly metrics: OrchestratorMetrics;
  readonly hint: (hint: DispatchHint) => void;
}

/**
 * Stores the outcomes of attempts together: results → ends of pages (durable) → ledger and counters (durable) → hint to
 * the dispatcher. Repeating it changes nothing; their messages may be acknowledged only after it.
 */
export async function collectOutcomes(
  outcomes: readonly CollectedOutcome[],
  deps: CollectDeps,
): Promise<void> {
  const { stores, retentionMs } = deps;
  const at = new Date();
  const results = outcomes.flatMap(resultOf);
  const unsuccessful = outcomes.filter(({ outcome }) => outcome.kind !== 'found');
  const [pages] = await Promise.all([
    unsuccessful.length > 0 ? stores.pages.findPages(unsuccessful.map(({ pageId }) => pageId)) : [],
    stores.results.insertResults(results, new Date(at.getTime() + retentionMs + RESULT_GRACE_MS)),
  ]);
  const ends = await Promise.all(outcomes.map((outcome) => endOf(outcome, pages, deps)));
  await endPages(ends.flat(), pages, at, deps);
}

function resultOf({ pageId, attempt, outcome, screenshotId }: CollectedOutcome): NewResult[] {
  if (outcome.kind !== 'found') return [];
  const screenshotUrl = screenshotId === undefined ? undefined : screenshotUrlOf(pageId);
  return [{ id: pageId, attempt, json: renderResult(outcome, screenshotUrl), screenshotId }];
}

/** Ends the attempts of pages that no worker reported on in time. */
export async function collectOverdue(pages: readonly StoredPage[], deps: CollectDeps): Promise<void> {
  const situation = { nowMs: Date.now(), random: Math.random(), hasAntiBot: false };
  const ends = pages.map((page) => decidePageEnd(page, { kind: 'overdue' }, deps.rules, situation));
  await endPages(ends, pages, new Date(), deps);
}

/** Ends attempts, durably, and then does everything that follows from it. */
async function endPages(
  ends: readonly PageEnd[],
  pages: readonly StoredPage[],
  at: Date,
  deps: CollectDeps,
): Promise<void> {
  const isWhole = (await deps.stores.pages.end(ends, at)) === ends.length;
  const valid = isWhole ? ends : await findValid(ends, deps);
  // If only some ends were new, it is not known which: the reconciler counts them, or the end of the job does.
  const fresh = isWhole ? ends : [];
  hintDispatcher(ends, pages, deps);
  const jobIds = new Set(valid.filter(({ state }) => state !== 'waiting').map(({ id }) => jobIdOf(id)));
  const [jobs] = await Promise.all([
    Promise.all([...jobIds].map((jobId) => countFinished(jobId, fresh, deps))),
    chargeAndRelease(valid, at, deps),
  ]);
  for (const job of jobs) {
    const mayBeFinished = job && (job.completedUrls >= job.totalUrls || fresh.length === 0);
    if (mayBeFinished) await finishJob(job, deps);
  }
  for (const end of fresh) deps.metrics.pages.inc({ outcome: outcomeOf(end) });
}

/** Results outlive their job: they must not expire while it still runs. */
const RESULT_GRACE_MS = 30 * 24 * 3600 * 1000;

async function endOf(
  { jobId, pageId: id, attempt, outcome }: PageOutcome,
  pages: readonly StoredPage[],
  { rules, terms }: CollectDeps,
): Promise<PageEnd[]> {
  if (outcome.kind === 'found') return [{ id, attempt, state: 'succeeded', price: outcome.price }];
  const page = pages.find((candidate) => candidate.id === id);
  if (page?.attempt !== attempt || page.state !== 'running') return [];
  const { hasAntiBot = false } = (await terms.find(jobId)) ?? {};
  return [decidePageEnd(page, outcome, rules, { nowMs: Date.now(), random: Math.random(), hasAntiBot })];
}

/** Returns the ends that are stored, by this call or by an earlier delivery of the same messages. */
async function findValid(ends: readonly PageEnd[], { stores }: CollectDeps): Promise<PageEnd[]> {
  const pages = await stores.pages.findPages(ends.map(({ id }) => id));
  const stored = new Map(pages.map((page) => [page.id, page]));
  return ends.filter(({ id, attempt, state }) => {
    const page = stored.get(id);
    return page?.attempt === attempt && page.state === state;
  });
}

/** Charges pages that succeeded, and releases the credits held for pages that failed. */
async function chargeAndRelease(
  ends: readonly PageEnd[],
  at: Date,
  { stores, terms }: CollectDeps,
): Promise<void> {
  const byJob = Map.groupBy(ends, ({ id }) => jobIdOf(id));
  await Promise.all(
    [...byJob].map(async ([jobId, jobEnds]) => {
      const jobTerms = await terms.find(jobId);
      if (!jobTerms) return;
      const succeeded = jobEnds.flatMap((end) =>
        end.state === 'succeeded' ? [{ id: end.id, price: end.price, at }] : [],
      );
      if (succeeded.length > 0) await chargePages(jobTerms, succeeded, stores);
      const isHeld = jobEnds.some(({ state }) => state === 'failed') && (await terms.hasBalance(jobTerms));
      if (!isHeld) return;
      for (const { id, state } of jobEnds) {
        if (state !== 'failed') continue;
        await stores.credits.endReservations({ accountId: jobTerms.accountId, operationPrefix: id, at });
      }
    }),
  );
}

/** Adds newly finished pages to the job's counters, with their copies; returns the job, or null if it is finished or deleted. */
async function countFinished(
  jobId: string,
  fresh: readonly PageEnd[],
  { stores, terms }: CollectDeps,
): Promise<StoredJob | null> {
  const finished = fresh.filter(({ id, state }) => state !== 'waiting' && jobIdOf(id) === jobId);
  const { hasCopies = false } = (await terms.find(jobId)) ?? {};
  const copies = hasCopies ? await stores.pages.findCopies(finished.map(({ id }) => id)) : new Map();
  const countUrls = (ends: readonly PageEnd[]) =>
    ends.reduce((sum, { id }) => sum + 1 + (copies.get(id) ?? 0), 0);
  const completedUrls = countUrls(finished);
  const failedUrls = countUrls(finished.filter(({ state }) => state === 'failed'));
  const creditsUsed = finished.reduce(
    (sum, end) => sum + (end.state === 'succeeded' ? totalCredits(end.price) : 0),
    0,
  );
  return await stores.jobs.countEnded(jobId, { completedUrls, failedUrls, creditsUsed });
}

function hintDispatcher(ends: readonly PageEnd[], pages: readonly StoredPage[], { hint }: CollectDeps): void {
  const slowHosts = ends.flatMap((end) => {
    const isSlow = end.state !== 'succeeded' && end.failure?.code === 'RATE_LIMITED';
    const host = pages.find(({ id }) => id === end.id)?.host;
    if (!isSlow || host === undefined) return [];
    const untilMs = Date.now() + (end.failure?.retryAfterSeconds ?? 0) * 1000;
    return [{ host, untilMs: Math.ceil(untilMs) }];
  });
  hint({
    hasNewWork: ends.some(({ state }) => state === 'waiting'),
    endedPageIds: ends.map(({ id }) => id),
    slowHosts,
  });
}

function outcomeOf(end: PageEnd): string {
  if (end.state === 'succeeded') return 'success';
  return end.state === 'failed' ? end.failure.code : `again: ${end.because}`;
}
