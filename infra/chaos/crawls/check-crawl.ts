import { isTerminal, type Job, type PageResult } from '@gleaner/contracts';
import { pageKey, type RunningSiteGraph } from '@gleaner/test-kit';
import type { Findings } from '../check/findings.ts';
import type { JobClient } from '../job-client.ts';
import type { ChaosStack } from '../stack/chaos-stack.ts';
import { type PlannedCrawl, withResults } from './plan-crawls.ts';

/** A crawl as its client sees it. */
export interface WatchedCrawl extends PlannedCrawl {
  readonly id: string;
  /** In the order of the responses. */
  readonly history: Job[];
}

/** Collaborators of the checks. */
export interface CheckCrawlDeps {
  readonly stack: Pick<ChaosStack, 'stores'>;
  readonly client: Pick<JobClient, 'insist'>;
}

/** Returns true when the crawl was seen in a terminal state. */
export function hasFinished({ history }: WatchedCrawl): boolean {
  return isTerminal(history.at(-1)?.status ?? 'pending');
}

/** Checks a finished crawl against the closure that the graph itself gives, the ledger, and all that its client saw. */
export async function checkCrawl(
  crawl: WatchedCrawl,
  deps: CheckCrawlDeps,
  findings: Findings,
): Promise<void> {
  const { id, name, closure } = crawl;
  const last = crawl.history.at(-1);
  if (!last?.crawl || !hasFinished(crawl)) {
    findings.other.push(`${name} (${id}) has not finished: ${JSON.stringify(last)}`);
    return;
  }
  const path = `/v1/jobs/${id}/results`;
  const results = (await deps.client.insist<PageResult[]>('GET', path)).json;
  checkResults(crawl, results, findings);
  const succeeded = results.filter((result) => 'metadata' in result).length;
  const ledger = await deps.stack.stores.credits.sumCharges(`${id}:`);
  if (ledger.operations > succeeded)
    findings.chargedTwice.push(`${name}: ${ledger.operations} charges of ${succeeded} pages`);
  const counted = {
    ...{ creditsUsed: succeeded, ledger: succeeded, completedUrls: last.totalUrls },
    ...{ fetched: results.length, waiting: 0, running: 0 },
  };
  const told = {
    ...{ creditsUsed: last.creditsUsed, ledger: ledger.credits, completedUrls: last.completedUrls },
    ...{ fetched: last.crawl.fetched, waiting: last.crawl.waiting, running: last.crawl.running },
  };
  for (const [what, value] of Object.entries(counted)) {
    if (told[what as keyof typeof told] !== value) {
      findings.other.push(`${name}: ${what} is ${told[what as keyof typeof told]}, a recount says ${value}.`);
    }
  }
  const isStopped = withResults(closure).length > crawl.results;
  if ((last.crawl.stoppedBy === 'limit') !== isStopped) {
    findings.other.push(`${name} was stopped by ${last.crawl.stoppedBy}.`);
  }
  checkHistory(crawl, findings);
}

function checkResults(
  { name, closure, results: count }: WatchedCrawl,
  results: readonly PageResult[],
  findings: Findings,
): void {
  const expected = new Map(withResults(closure).map((entry) => [entry.key, entry]));
  const seen = new Set<string>();
  for (const result of results) {
    const key = pageKey(result.url);
    const entry = expected.get(key);
    if (seen.has(key)) findings.doubled.push(`${name}: ${key}`);
    seen.add(key);
    if (!entry) findings.other.push(`${name}: ${key} does not belong to the crawl.`);
    else if ('metadata' in result !== (entry.outcome === 'page')) {
      findings.other.push(`${name}: ${key} is ${entry.outcome}, and its result ${JSON.stringify(result)}`);
    }
  }
  if (results.length !== count)
    findings.lost.push(`${name}: ${results.length} results, ${count} were to be found.`);
  if (expected.size > count) return;
  for (const key of expected.keys()) if (!seen.has(key)) findings.lost.push(`${name}: ${key}`);
}

/** Checks that counters never fall, and that the limit holds at every look. */
function checkHistory({ name, history, crawl: { limit = 1000 } }: WatchedCrawl, findings: Findings): void {
  for (const [index, after] of history.entries()) {
    const { crawl } = after;
    const before = history[index - 1];
    if (!crawl) continue;
    if (crawl.fetched > limit)
      findings.other.push(`${name}: ${crawl.fetched} pages were fetched, the limit is ${limit}.`);
    if (after.completedUrls > after.totalUrls)
      findings.other.push(`${name}: ${after.completedUrls} of ${after.totalUrls} URLs are completed.`);
    for (const counter of ['completedUrls', 'failedUrls', 'creditsUsed'] as const) {
      if (before && after[counter] < before[counter]) {
        findings.other.push(`${name}: ${counter} fell from ${before[counter]} to ${after[counter]}.`);
      }
    }
  }
}

/** Checks that nothing was fetched that no crawl may fetch. */
export function checkFetches(
  { fetches }: Pick<RunningSiteGraph, 'fetches'>,
  crawls: readonly PlannedCrawl[],
  findings: Findings,
): void {
  const allowed = new Set(
    crawls.flatMap(({ closure }) => closure.flatMap(({ key, isFetched }) => (isFetched ? [key] : []))),
  );
  const unexpected = fetches
    .map(({ url }) => pageKey(url))
    .filter((key) => !allowed.has(key) && !/\/(?:robots\.txt|[^/]*\.xml(?:\.gz)?|[^/]*\.gz)$/.test(key));
  for (const key of new Set(unexpected)) findings.other.push(`${key} was fetched, and belongs to no crawl.`);
}
