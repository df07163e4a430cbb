import type { Job } from '@gleaner/contracts';
import { changesOf, type GraphEdits, type RunningSiteGraph } from '@gleaner/test-kit';
import type { Findings } from '../check/findings.ts';
import type { JobClient } from '../job-client.ts';
import { waitUntil } from '../wait-until.ts';
import { checkChanges } from './check-changes.ts';
import type { WatchedCrawl } from './check-crawl.ts';
import { type PlannedCrawl, planCrawls } from './plan-crawls.ts';

/** Collaborators of comparing crawls. */
export interface CompareCrawlsDeps {
  readonly site: RunningSiteGraph;
  readonly client: JobClient;
  /** Creates a crawl. */
  readonly create: (plan: PlannedCrawl) => Promise<WatchedCrawl>;
  /** Injects faults, and resolves when the crawls have finished. */
  readonly finish: (crawls: readonly WatchedCrawl[]) => Promise<void>;
}

/** The crawl that is interrupted by another one before the site changes. */
const INTERRUPTED = 'one host';
const HALF_WAY_MS = 300_000;

/**
 * Crawls the site again after an edit, each crawl compared with the one before, and checks what they report. One of them
 * is compared with a crawl that was cancelled half way, which in turn was compared with the first.
 */
export async function compareCrawls(
  before: readonly WatchedCrawl[],
  { site, client, create, finish }: CompareCrawlsDeps,
  findings: Findings,
): Promise<WatchedCrawl[]> {
  const earlier = { ...site.graph };
  const bases = new Map<string, string>();
  for (const { name, id, crawl, closure, results } of before.filter(isWhole)) {
    if (name !== INTERRUPTED) bases.set(name, id);
    else {
      const halted = await create({
        name: `${name}, halted`,
        crawl: { ...crawl, since: id },
        closure,
        results,
      });
      bases.set(name, await haltHalfWay(halted, client));
    }
  }
  site.edit(laterEdits(site.graph.size));
  const plans = planCrawls(site).filter(({ name }) => bases.has(name));
  const crawls: WatchedCrawl[] = [];
  for (const plan of plans) {
    const crawl = { ...plan.crawl, since: bases.get(plan.name) ?? '' };
    crawls.push(await create({ ...plan, name: `${plan.name}, compared`, crawl }));
  }
  await finish(crawls);
  for (const [index, { name }] of plans.entries()) {
    const { closure } = before.find((crawl) => crawl.name === name) as WatchedCrawl;
    const after = { graph: site.graph, closure: plans[index]?.closure ?? [] };
    const expected = changesOf({ graph: earlier, closure }, after);
    await checkChanges(crawls[index] as WatchedCrawl, expected, client, findings);
  }
  return crawls;
}

/** Returns whether no limit ended the crawl: only then all changes are found. */
function isWhole({ history }: WatchedCrawl): boolean {
  return history.at(-1)?.crawl?.stoppedBy === undefined;
}

async function haltHalfWay({ id, results }: WatchedCrawl, client: JobClient): Promise<string> {
  await waitUntil(async () => {
    const { json } = await client.insist<{ job: Job }>('GET', `/v1/jobs/${id}?resultsLimit=0`);
    return (json.job.crawl?.fetched ?? 0) > results / 3 || json.job.completedAt !== undefined;
  }, HALF_WAY_MS);
  await client.insist('DELETE', `/v1/jobs/${id}`);
  return id;
}

/** Pages that are missing at first, so that they are new later. */
export function firstEdits(size: number): GraphEdits {
  return { edited: new Set(), removed: every(size, 29, 5), orphaned: every(size, 31, 7) };
}

/** Changes of the site between two crawls. */
function laterEdits(size: number): GraphEdits {
  return { edited: every(size, 11, 4), removed: every(size, 37, 9), orphaned: every(size, 23, 8) };
}

/** Returns the numbers of pages at this distance from each other. */
function every(size: number, step: number, first: number): ReadonlySet<number> {
  const count = Math.max(0, Math.ceil((size - first) / step));
  return new Set(Array.from({ length: count }, (_, index) => first + index * step));
}
