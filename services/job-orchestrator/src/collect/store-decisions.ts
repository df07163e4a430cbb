import type { CacheKeeper, NewResult, Stores } from '@gleaner/storage';
import { type PageRecords, type WriteRecordsDeps, writeRecords } from '../datasets/page-records.ts';
import type { SnapshotKeeper } from '../keeping/snapshot-keeper.ts';
import type { Decision } from './consequences.ts';
import { type EndPagesDeps, endPages } from './end-pages.ts';
import { type FrontierAdditions, type GrowCrawlDeps, growCrawl } from './grow-crawl.ts';
import type { Context } from './read-context.ts';

/** Collaborators of storing decisions. */
export interface StoreDecisionsDeps extends EndPagesDeps, GrowCrawlDeps, WriteRecordsDeps {
  readonly stores: Stores;
  readonly retentionMs: number;
  readonly keeper: SnapshotKeeper;
  readonly cache: Pick<CacheKeeper, 'keep'>;
}

/** Results outlive their job: they must not expire while it still runs. */
const RESULT_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Stores the consequences of outcomes, durably and in this order: snapshots and knowledge of sites, results, records of datasets and new
 * pages of crawls, the ends of the pages, and the effects of those ends. Each step can be repeated, and none relies on
 * a later one, so that a crash loses nothing.
 */
export async function storeDecisions(
  decisions: readonly Decision[],
  context: Context & { readonly records: ReadonlyMap<string, PageRecords> },
  deps: StoreDecisionsDeps,
): Promise<void> {
  const at = deps.stores.clock.now();
  await deps.keeper.keep(decisions.flatMap(({ snapshot }) => snapshot ?? []));
  await deps.cache.keep(decisions.flatMap(({ reusable }) => reusable ?? []));
  for (const decision of decisions) await storeNews(decision, at, deps.stores);
  const [additions] = await Promise.all([
    growCrawls(decisions, context, deps),
    insertResults(
      decisions.flatMap(({ result }) => result ?? []),
      at,
      deps,
    ),
    writeRecords(recordsOf(decisions, context.records), context.terms, deps),
  ]);
  const ends = decisions.map(({ end }) => end);
  await endPages(ends, { pages: context.pages, additions }, at, deps);
}

/** Returns the records of the pages that are content. */
function recordsOf(decisions: readonly Decision[], records: ReadonlyMap<string, PageRecords>) {
  return decisions.flatMap(({ end }) =>
    end.state === 'succeeded' && (end.verdict ?? 'content') === 'content'
      ? (records.get(end.id)?.records ?? [])
      : [],
  );
}

/** Stores the rules of an origin, a place and a warning that one outcome brought. */
async function storeNews(
  { jobId, robots, robotsLifetimeMs = 0, place, warning }: Decision,
  at: Date,
  stores: Stores,
): Promise<void> {
  if (robots) {
    const expiresAt = new Date(at.getTime() + robotsLifetimeMs);
    await stores.robots.put({ ...robots, readAt: at, expiresAt });
  }
  if (place !== undefined) await stores.jobs.addPlace(jobId, place);
  if (warning) await stores.jobs.warnOfCrawl(jobId, warning);
}

async function growCrawls(
  decisions: readonly Decision[],
  { crawls }: Context,
  deps: StoreDecisionsDeps,
): Promise<ReadonlyMap<string, FrontierAdditions>> {
  const additions = new Map<string, FrontierAdditions>();
  for (const [jobId, ofJob] of Map.groupBy(decisions, (decision) => decision.jobId)) {
    const crawl = crawls.get(jobId);
    if (crawl) additions.set(jobId, await growCrawl(crawl, ofJob, deps));
  }
  return additions;
}

async function insertResults(
  results: readonly NewResult[],
  at: Date,
  { stores, retentionMs }: StoreDecisionsDeps,
): Promise<void> {
  await stores.results.insertResults(results, new Date(at.getTime() + retentionMs + RESULT_GRACE_MS));
}
