import type { ChangeFilter, CrawlChanges, Job, PageResult } from '@gleaner/contracts';
import {
  changesOf,
  type GraphChanges,
  type GraphEdits,
  pageKey,
  type RunningSiteGraph,
} from '@gleaner/test-kit';
import { hasEnded, type JobClient } from '../job-client.ts';
import type { Findings } from '../report.ts';
import { waitUntil } from '../wait-until.ts';
import type { WatchedCrawl } from './check-crawl.ts';
import { type PlannedCrawl, planCrawls } from './plan-crawls.ts';

/** Collaborators of comparing crawls. */
export interface CompareCrawlsDeps {
  readonly site: RunningSiteGraph;
  readonly client: JobClient;
  readonly findings: Findings;
  /** Creates a crawl. */
  readonly create: (plan: PlannedCrawl) => Promise<WatchedCrawl>;
  /** Injects faults, and resolves when the crawls have finished. */
  readonly finish: (crawls: readonly WatchedCrawl[]) => Promise<void>;
}

/** The crawl that is interrupted by another one before the site changes. */
const INTERRUPTED = 'one host';
const HALF_WAY_MS = 300_000;
const KINDS: readonly ChangeFilter[] = ['new', 'changed', 'unchanged', 'gone', 'unlinked'];

/**
 * Crawls the site again after an edit, each crawl compared with the one before, and checks what they report. One of them
 * is compared with a crawl that was cancelled half way, which in turn was compared with the first.
 */
export async function compareCrawls(
  before: readonly WatchedCrawl[],
  { site, client, findings, create, finish }: CompareCrawlsDeps,
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

/**
 * Checks that a crawl compared with an earlier one reports exactly the differing pages. A crawl with a
 * warning about an abandoned sitemap may not know all new pages, and calls none unlinked.
 */
export async function checkChanges(
  crawl: WatchedCrawl,
  expected: GraphChanges,
  client: Pick<JobClient, 'insist'>,
  findings: Findings,
): Promise<void> {
  const { id, name, history } = crawl;
  const last = history.at(-1);
  const told = last?.crawl?.changes;
  if (!hasEnded(crawl) || !told) {
    findings.other.push(`${name} (${id}) has no changes: ${JSON.stringify(last)}`);
    return;
  }
  const isSure = !hasUnreadSitemap(last);
  for (const kind of KINDS) {
    const path = `/v1/jobs/${id}/results?change=${kind}`;
    const { json } = await client.insist<PageResult[]>('GET', path);
    const urls = json.map(({ url }) => pageKey(url));
    const due = kind === 'unlinked' && !isSure ? new Set<string>() : expected[kind];
    const mayLack = kind === 'new' && !isSure;
    compare({ name, kind, told, urls, due, mayLack }, findings);
  }
}

function hasUnreadSitemap({ crawl }: Job): boolean {
  return crawl?.warnings?.some(({ code }) => code === 'SITEMAP_NOT_READ') === true;
}

/** The pages of a crawl that have changed in one way. */
interface ChangedSo {
  readonly name: string;
  readonly kind: ChangeFilter;
  readonly told: CrawlChanges;
  readonly urls: readonly string[];
  readonly due: ReadonlySet<string>;
  /** Not all pages need to have been found. */
  readonly mayLack: boolean;
}

function compare({ name, kind, told, urls, due, mayLack }: ChangedSo, findings: Findings): void {
  const found = new Set(urls);
  if (found.size !== urls.length) findings.doubled.push(`${name}: a page is ${kind} twice.`);
  for (const key of found.difference(due)) findings.other.push(`${name}: ${key} is ${kind}.`);
  for (const key of mayLack ? [] : due.difference(found))
    findings.lost.push(`${name}: ${key} is not ${kind}.`);
  if (told[kind] !== found.size)
    findings.other.push(
      `${name}: ${told[kind]} pages are ${kind} by its counters, ${found.size} by its results.`,
    );
}

/** Pages missing at first, to be new later. */
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
