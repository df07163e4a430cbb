import { type NewResult, type PageEnd, placeInCrawl, type StoredPage } from '@gleaner/storage';
import { ruleOf } from '../crawl/crawl-terms.ts';
import type { KnownKeys } from '../crawl/known-keys.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import { type CrawlOutcome, collectCrawl } from './collect-crawl.ts';
import { endOfFailure, type RunningCrawlPage } from './crawl-end.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import { type EndPagesDeps, endPages } from './end-pages.ts';
import type { CollectedOutcome } from './keep-screenshot.ts';
import { renderResult, screenshotUrlOf } from './render-result.ts';

/** Collaborators of collecting. */
export interface CollectDeps extends EndPagesDeps {
  readonly rules: RetryRules;
  readonly knownKeys: KnownKeys;
}

/** Results outlive their job: they must not expire while it still runs. */
const RESULT_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Stores the outcomes of attempts together: pages that those of crawls lead to (durable) → results → ends of pages
 * (durable) → ledger and counters (durable) → hint to the dispatcher. Repeating it changes nothing; their messages may be
 * acknowledged only after it.
 */
export async function collectOutcomes(
  outcomes: readonly CollectedOutcome[],
  deps: CollectDeps,
): Promise<void> {
  const at = new Date();
  const terms = await findTerms(outcomes, deps);
  const needsPage = ({ jobId, outcome }: CollectedOutcome) =>
    outcome.kind !== 'found' || terms.get(jobId)?.crawl !== undefined;
  const ids = outcomes.filter(needsPage).map(({ pageId }) => pageId);
  const pages = new Map(
    (ids.length > 0 ? await deps.stores.pages.findPages(ids) : []).map((page) => [page.id, page]),
  );
  const [ends, crawls] = await Promise.all([
    endsOf(outcomes, { pages, terms }, deps),
    collectCrawls(outcomes, { pages, terms }, deps),
    insertResults(outcomes, { pages, terms }, at, deps),
  ]);
  const crawlEnds = [...crawls.values()].flatMap((crawl) => crawl.ends);
  await endPages([...ends, ...crawlEnds], { pages: [...pages.values()], additions: crawls }, at, deps);
}

/** Terms of the jobs, and stored pages, that outcomes are about. */
interface Context {
  readonly terms: ReadonlyMap<string, JobTerms>;
  /** Pages whose outcome cannot be stored without them, by id. */
  readonly pages: ReadonlyMap<string, StoredPage>;
}

async function findTerms(
  outcomes: readonly CollectedOutcome[],
  { terms }: CollectDeps,
): Promise<ReadonlyMap<string, JobTerms>> {
  const jobIds = [...new Set(outcomes.map(({ jobId }) => jobId))];
  const found = await Promise.all(jobIds.map((jobId) => terms.find(jobId)));
  return new Map(found.flatMap((jobTerms) => (jobTerms ? [[jobTerms.id, jobTerms] as const] : [])));
}

async function insertResults(
  outcomes: readonly CollectedOutcome[],
  context: Context,
  at: Date,
  { stores, retentionMs }: CollectDeps,
): Promise<void> {
  const results = outcomes.flatMap((outcome) => resultOf(outcome, context));
  await stores.results.insertResults(results, new Date(at.getTime() + retentionMs + RESULT_GRACE_MS));
}

function resultOf(
  { jobId, pageId, attempt, outcome, screenshotId }: CollectedOutcome,
  { pages, terms }: Context,
): NewResult[] {
  if (outcome.kind !== 'found') return [];
  const screenshotUrl = screenshotId === undefined ? undefined : screenshotUrlOf(pageId);
  const { crawl } = terms.get(jobId) ?? {};
  if (!crawl) return [{ id: pageId, attempt, json: renderResult(outcome, { screenshotUrl }), screenshotId }];
  const crawled = pages.get(pageId)?.crawled;
  if (!crawled || ruleOf(crawl, crawled)?.keep === false) return [];
  const place = { ...placeInCrawl(crawled), canonicalUrl: outcome.crawl?.canonicalUrl };
  return [{ id: pageId, attempt, json: renderResult(outcome, { screenshotUrl, place }), screenshotId }];
}

/** Collects what pages of crawls lead to, crawl by crawl. */
async function collectCrawls(
  outcomes: readonly CollectedOutcome[],
  { pages, terms }: Context,
  deps: CollectDeps,
): Promise<Map<string, Awaited<ReturnType<typeof collectCrawl>>>> {
  const collected = new Map<string, Awaited<ReturnType<typeof collectCrawl>>>();
  for (const [jobId, ofJob] of Map.groupBy(outcomes, (outcome) => outcome.jobId)) {
    const jobTerms = terms.get(jobId);
    if (!jobTerms?.crawl) continue;
    const running = ofJob.flatMap((each) => runningOutcome(each, pages.get(each.pageId)));
    if (running.length === 0) continue;
    collected.set(jobId, await collectCrawl({ id: jobId, crawl: jobTerms.crawl }, running, deps));
  }
  return collected;
}

/** Returns the outcome of the attempt that a page of a crawl is running, unless the attempt had no success. */
function runningOutcome(
  { attempt, outcome }: CollectedOutcome,
  page: StoredPage | undefined,
): CrawlOutcome[] {
  if (outcome.kind === 'failed' || outcome.kind === 'lost') return [];
  return page && isCrawlPage(page) && isRunning(page, attempt) ? [{ page, outcome }] : [];
}

function isCrawlPage(page: StoredPage): page is RunningCrawlPage {
  return page.crawled !== undefined;
}

function isRunning({ attempt, state }: StoredPage, ofAttempt: number): boolean {
  return attempt === ofAttempt && state === 'running';
}

/** Ends the attempts of pages that no worker reported on in time. */
export async function collectOverdue(pages: readonly StoredPage[], deps: CollectDeps): Promise<void> {
  const situation = { nowMs: Date.now(), random: Math.random(), hasAntiBot: false };
  const ends = await Promise.all(
    pages.map((page) =>
      finalEnd(page, decidePageEnd(page, { kind: 'overdue' }, deps.rules, situation), deps),
    ),
  );
  await endPages(ends, { pages, additions: new Map() }, new Date(), deps);
}

/** Returns the ends of attempts, but those of pages of crawls that had success. */
async function endsOf(
  outcomes: readonly CollectedOutcome[],
  context: Context,
  deps: CollectDeps,
): Promise<PageEnd[]> {
  const ends = await Promise.all(outcomes.map((outcome) => endOf(outcome, context, deps)));
  return ends.flat();
}

async function endOf(
  { jobId, pageId: id, attempt, outcome }: CollectedOutcome,
  { pages, terms }: Context,
  deps: CollectDeps,
): Promise<PageEnd[]> {
  const { hasAntiBot = false, crawl } = terms.get(jobId) ?? {};
  if (outcome.kind === 'found' && !crawl) return [{ id, attempt, state: 'succeeded', price: outcome.price }];
  if (outcome.kind !== 'failed' && outcome.kind !== 'lost') return [];
  const page = pages.get(id);
  if (!page || !isRunning(page, attempt)) return [];
  const situation = { nowMs: Date.now(), random: Math.random(), hasAntiBot };
  return [await finalEnd(page, decidePageEnd(page, outcome, deps.rules, situation), deps)];
}

/** Returns the end of an attempt without success as it is stored. */
async function finalEnd(page: StoredPage, end: PageEnd, deps: CollectDeps): Promise<PageEnd> {
  const isFailure = end.state === 'failed' || end.state === 'missing';
  return isFailure && isCrawlPage(page) ? await endOfFailure(page, end, deps) : end;
}
