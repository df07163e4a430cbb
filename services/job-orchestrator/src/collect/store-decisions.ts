import type { NewResult, Stores } from '@gleaner/storage';
import type { Decision } from './consequences.ts';
import { type EndPagesDeps, endPages } from './end-pages.ts';
import { type FrontierAdditions, type GrowCrawlDeps, growCrawl } from './grow-crawl.ts';
import type { SnapshotKeeper } from './keep-snapshots.ts';
import type { Context } from './read-context.ts';

/** Collaborators of storing decisions. */
export interface StoreDecisionsDeps extends EndPagesDeps, GrowCrawlDeps {
  readonly stores: Stores;
  readonly keeper: SnapshotKeeper;
}

/** Results outlive their job: they must not expire while it still runs. */
const RESULT_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Stores what follows from outcomes, durably and in this order: snapshots and what is known of sites, results and the pages
 * that crawls come to, the ends of the pages, and what follows from those. Each step can be repeated, and none relies on a
 * later one, so that a crash loses nothing.
 */
export async function storeDecisions(
  decisions: readonly Decision[],
  context: Context,
  deps: StoreDecisionsDeps,
): Promise<void> {
  const at = deps.stores.clock.now();
  await deps.keeper.keep(decisions.flatMap(({ snapshot }) => snapshot ?? []));
  for (const decision of decisions) await storeNews(decision, at, deps.stores);
  const [additions] = await Promise.all([
    growCrawls(decisions, context, deps),
    insertResults(
      decisions.flatMap(({ result }) => result ?? []),
      at,
      deps,
    ),
  ]);
  const ends = decisions.map(({ end }) => end);
  await endPages(ends, { pages: context.pages, additions }, at, deps);
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
