import { type NewResult, type PageEnd, placeInCrawl, type StoredPage } from '@gleaner/storage';
import type { KeptLinks } from '../compare/kept-links.ts';
import { isKept } from '../crawl/crawl-terms.ts';
import type { KnownKeys } from '../crawl/known-keys.ts';
import type { PatternWatch } from '../crawl/pattern-watch.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import { type CrawlOutcome, collectCrawl } from './collect-crawl.ts';
import { type Comparison, compareOutcomes } from './compare-outcomes.ts';
import { endOfFailure, type RunningCrawlPage } from './crawl-end.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import { type EndPagesDeps, endPages } from './end-pages.ts';
import type { CollectedOutcome } from './keep-screenshot.ts';
import type { SnapshotKeeper } from './keep-snapshots.ts';
import { renderKept, renderResult, screenshotUrlOf } from './render-result.ts';

/** Collaborators of collecting. */
export interface CollectDeps extends EndPagesDeps {
  readonly rules: RetryRules;
  readonly knownKeys: KnownKeys;
  readonly keptLinks: KeptLinks;
  readonly patterns: PatternWatch;
  readonly keeper: SnapshotKeeper;
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
  const at = deps.stores.clock.now();
  const terms = await findTerms(outcomes, deps);
  const needsPage = ({ jobId, outcome }: CollectedOutcome) =>
    outcome.kind !== 'found' || terms.get(jobId)?.crawl !== undefined;
  const ids = outcomes.filter(needsPage).map(({ pageId }) => pageId);
  const pages = new Map(
    (ids.length > 0 ? await deps.stores.pages.findPages(ids) : []).map((page) => [page.id, page]),
  );
  const comparison = await compareOutcomes(outcomes, { pages, terms }, deps);
  const snapshotIds = await keepPages(comparison.outcomes, { pages, terms }, deps);
  const context = { pages, terms, ...comparison, snapshotIds };
  const ends = await endsOf(comparison.outcomes, context, deps);
  const failed = ends.flatMap(({ id, state }) => (state === 'failed' ? [id] : []));
  const [crawls] = await Promise.all([
    collectCrawls(comparison.outcomes, failed, context, deps),
    insertResults(comparison.outcomes, context, at, deps),
  ]);
  const crawlEnds = [...crawls.values()].flatMap((crawl) => crawl.ends);
  await endPages([...ends, ...crawlEnds], { pages: [...pages.values()], additions: crawls }, at, deps);
}

/** Terms of the jobs, and stored pages, that outcomes are about. */
interface Context extends Omit<Comparison, 'outcomes'> {
  readonly terms: ReadonlyMap<string, JobTerms>;
  /** Pages whose outcome cannot be stored without them, by id. */
  readonly pages: ReadonlyMap<string, StoredPage>;
  /** Ids of kept pages, by page id. */
  readonly snapshotIds: ReadonlyMap<string, string>;
}

async function findTerms(
  outcomes: readonly CollectedOutcome[],
  { terms }: CollectDeps,
): Promise<ReadonlyMap<string, JobTerms>> {
  const jobIds = [...new Set(outcomes.map(({ jobId }) => jobId))];
  const found = await Promise.all(jobIds.map((jobId) => terms.find(jobId)));
  return new Map(found.flatMap((jobTerms) => (jobTerms ? [[jobTerms.id, jobTerms] as const] : [])));
}

/** Keeps pages that have a result. */
async function keepPages(
  outcomes: readonly CollectedOutcome[],
  { pages, terms }: Pick<Context, 'pages' | 'terms'>,
  { keeper }: Pick<CollectDeps, 'keeper'>,
): Promise<ReadonlyMap<string, string>> {
  const owned = outcomes.flatMap((each) => {
    const { accountId, crawl } = terms.get(each.jobId) ?? {};
    const crawled = pages.get(each.pageId)?.crawled;
    const isWanted = !crawl || (crawled && isKept(crawl, crawled));
    return accountId !== undefined && isWanted ? [{ ...each, accountId }] : [];
  });
  return await keeper.keep(owned);
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
  { pages, terms, kept, changes, snapshotIds }: Context,
): NewResult[] {
  if (outcome.kind !== 'found' && outcome.kind !== 'notModified') return [];
  const { crawl } = terms.get(jobId) ?? {};
  const page = pages.get(pageId);
  const trace = JSON.stringify(outcome.attempts);
  const screenshotUrl = screenshotId === undefined ? undefined : screenshotUrlOf(pageId);
  const snapshotId = snapshotIds.get(pageId);
  if (!crawl && outcome.kind === 'found') {
    const json = renderResult(outcome, { screenshotUrl, snapshotId });
    return [{ id: pageId, attempt, json, screenshotId, trace }];
  }
  if (!crawl || !page?.crawled || !isKept(crawl, page.crawled)) return [];
  const place = placeInCrawl({ ...page.crawled, ...changeIn(changes, pageId) });
  if (outcome.kind === 'notModified') {
    const before = kept.get(pageId);
    if (before === undefined) return [];
    return [{ id: pageId, attempt, json: renderKept(before, outcome, { url: page.url, ...place }), trace }];
  }
  const { canonicalUrl } = outcome.crawl ?? {};
  const extras = { screenshotUrl, snapshotId, place: { ...place, canonicalUrl } };
  return [{ id: pageId, attempt, json: renderResult(outcome, extras), screenshotId, trace }];
}

function changeIn(changes: Context['changes'], pageId: string) {
  const change = changes.get(pageId);
  return change && { change };
}

type CollectedCrawls = Map<string, Awaited<ReturnType<typeof collectCrawl>>>;

/** Collects what pages of crawls lead to, crawl by crawl; failed pages lead to what they led to before. */
async function collectCrawls(
  outcomes: readonly CollectedOutcome[],
  failed: readonly string[],
  context: Context,
  deps: CollectDeps,
): Promise<CollectedCrawls> {
  const { pages, terms } = context;
  const collected: CollectedCrawls = new Map();
  for (const [jobId, ofJob] of Map.groupBy(outcomes, (outcome) => outcome.jobId)) {
    const jobTerms = terms.get(jobId);
    if (!jobTerms?.crawl) continue;
    const running = ofJob.flatMap((each) => runningOutcome(each, pages.get(each.pageId)));
    const lost = failed.flatMap((id) => lostPage(pages.get(id), jobId, context));
    if (running.length + lost.length === 0) continue;
    const crawl = { ...context, id: jobId, crawl: jobTerms.crawl, terms: jobTerms };
    collected.set(jobId, await collectCrawl(crawl, { outcomes: running, failed: lost }, deps));
  }
  return collected;
}

/** Returns a page of the job that failed and was there in an earlier crawl. */
function lostPage(
  page: StoredPage | undefined,
  jobId: string,
  { bases }: Pick<Context, 'bases'>,
): RunningCrawlPage[] {
  return page?.jobId === jobId && isCrawlPage(page) && bases.has(page.id) ? [page] : [];
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
  const situation = { nowMs: deps.stores.clock.nowMs(), random: Math.random(), hasAntiBot: false };
  const outcomes = pages.map(({ jobId, id, attempt }) => ({
    ...{ jobId, pageId: id, attempt },
    outcome: { kind: 'lost' as const },
  }));
  const terms = await findTerms(outcomes, deps);
  const byId = new Map(pages.map((page) => [page.id, page]));
  const comparison = await compareOutcomes(outcomes, { pages: byId, terms }, deps);
  const context = { pages: byId, terms, ...comparison, snapshotIds: new Map() };
  const ends = await Promise.all(
    pages.map((page) =>
      finalEnd(page, decidePageEnd(page, { kind: 'overdue' }, deps.rules, situation), context, deps),
    ),
  );
  const failed = ends.flatMap(({ id, state }) => (state === 'failed' ? [id] : []));
  const additions = await collectCrawls(outcomes, failed, context, deps);
  await endPages(ends, { pages, additions }, deps.stores.clock.now(), deps);
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
  context: Context,
  deps: CollectDeps,
): Promise<PageEnd[]> {
  const { pages, terms } = context;
  const { hasAntiBot = false, crawl } = terms.get(jobId) ?? {};
  if (outcome.kind === 'found' && !crawl) return [{ id, attempt, state: 'succeeded', price: outcome.price }];
  if (outcome.kind !== 'failed' && outcome.kind !== 'lost') return [];
  const page = pages.get(id);
  if (!page || !isRunning(page, attempt)) return [];
  const situation = { nowMs: deps.stores.clock.nowMs(), random: Math.random(), hasAntiBot };
  return [await finalEnd(page, decidePageEnd(page, outcome, deps.rules, situation), context, deps)];
}

/** Returns the end of an attempt without success as it is stored. */
async function finalEnd(
  page: StoredPage,
  end: PageEnd,
  { bases }: Pick<Context, 'bases'>,
  deps: CollectDeps,
): Promise<PageEnd> {
  const isFailure = end.state === 'failed' || end.state === 'missing';
  if (!isFailure || !isCrawlPage(page)) return end;
  const final = await endOfFailure(page, end, deps);
  return final.state === 'missing' && bases.has(page.id) ? { ...final, change: 'gone' } : final;
}
