import type { Job, PageResult } from '@gleaner/contracts';
import { pageKey, type RunningSiteGraph } from '@gleaner/test-kit';
import { checkHistory } from '../check/check-job.ts';
import { hasEnded } from '../job-client.ts';
import type { Findings } from '../report.ts';
import type { ChaosRun } from '../workload.ts';
import { type PlannedCrawl, withResults } from './plan-crawls.ts';

/** A crawl as its client sees it. */
export interface WatchedCrawl extends PlannedCrawl {
  readonly id: string;
  /** In the order of the responses. */
  readonly history: Job[];
}

/** Checks a finished crawl against the closure that the graph itself gives, the ledger, and all that its client saw. */
export async function checkCrawl(
  crawl: WatchedCrawl,
  { client, stack, findings }: Pick<ChaosRun, 'client' | 'stack' | 'findings'>,
): Promise<void> {
  const { id, name, closure } = crawl;
  const last = crawl.history.at(-1);
  if (!last?.crawl || !hasEnded(crawl)) {
    findings.other.push(`${name} (${id}) has not finished: ${JSON.stringify(last)}`);
    return;
  }
  const results = await client.results(id);
  checkResults(crawl, results, findings);
  const succeeded = results.filter((result) => 'metadata' in result).length;
  const ledger = await stack.stores.credits.sumCharges(`${id}:`);
  if (ledger.operations > succeeded)
    findings.chargedTwice.push(`${name}: ${ledger.operations} charges of ${succeeded} pages`);
  const counted = {
    creditsUsed: succeeded,
    ledger: succeeded,
    completedUrls: last.totalUrls,
    fetched: results.length,
    waiting: 0,
    running: 0,
  };
  const told = {
    creditsUsed: last.creditsUsed,
    ledger: ledger.credits,
    completedUrls: last.completedUrls,
    fetched: last.crawl.fetched,
    waiting: last.crawl.waiting,
    running: last.crawl.running,
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
  checkLimit(crawl, findings);
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

/** Checks that the limit holds at every look. */
function checkLimit({ name, history, crawl: { limit = 1000 } }: WatchedCrawl, findings: Findings): void {
  for (const { crawl, completedUrls, totalUrls } of history) {
    if (crawl && crawl.fetched > limit)
      findings.other.push(`${name}: ${crawl.fetched} pages were fetched, the limit is ${limit}.`);
    if (completedUrls > totalUrls)
      findings.other.push(`${name}: ${completedUrls} of ${totalUrls} URLs are completed.`);
  }
}

/** A random path, requested by scrapers to learn how a site answers a missing page. */
const UNKNOWN_PATH = /^(.*\/)[bcdfghjkmnpqrstvwxz1-9]{15}(?:\.\w+)?\/?$/;
const SITE_FILE = /\/(?:robots\.txt|[^/]*\.xml(?:\.gz)?|[^/]*\.gz)$/;

/** Checks that crawls fetched nothing beyond their pages, crawl files and random missing paths. */
export function checkFetches(
  { fetches }: Pick<RunningSiteGraph, 'fetches'>,
  crawls: readonly PlannedCrawl[],
  findings: Findings,
): void {
  const allowed = new Set(
    crawls.flatMap(({ closure }) => closure.flatMap(({ key, isFetched }) => (isFetched ? [key] : []))),
  );
  const folders = new Set([...allowed].map((key) => key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)));
  const isAllowed = (key: string) =>
    allowed.has(key) || SITE_FILE.test(key) || folders.has(UNKNOWN_PATH.exec(key)?.[1] ?? '');
  const unexpected = fetches.map(({ url }) => pageKey(url)).filter((key) => !isAllowed(key));
  for (const key of new Set(unexpected)) findings.other.push(`${key} was fetched, and belongs to no crawl.`);
}
