import {
  CHANGE_FILTERS,
  CRAWL_DEFAULTS,
  type CrawlOptions,
  type CreateJobCommand,
  DROP_REASONS,
  defined,
  SKIP_REASONS,
  takingTurns,
} from '@gleaner/contracts';
import { type AdmittedStart, compileFilter, placeOf } from '@gleaner/frontier';
import type { CrawlState, NewCrawlFile, NewPage, StoredJob, Stores } from '@gleaner/storage';
import { robotsPageOf } from '../crawl/crawl-files.ts';
import { filterOf } from '../crawl/crawl-terms.ts';

/** First pages of a crawl, and its state before any of them is fetched. */
export interface CrawlPlan {
  /** One for each page that the start URLs name. */
  readonly pages: readonly NewPage[];
  /** The robots.txt of each of their sites, unless nothing of it is wanted. */
  readonly crawlFiles: readonly NewCrawlFile[];
  readonly crawl: CrawlState;
}

/** Plans a crawl from its start URLs, of which equal ones are one page; `since` are the crawls that it is compared with. */
export async function planCrawl(
  urls: readonly string[],
  options: CrawlOptions,
  since: readonly string[] = [],
): Promise<CrawlPlan> {
  const terms = { ...CRAWL_DEFAULTS, ...options };
  const starts = urls.map((url) => new URL(url));
  const places = [...new Set(starts.map((url) => placeOf(terms.scope, url)))];
  const filter = compileFilter(filterOf(terms, places));
  const admitted: AdmittedStart[] = [];
  const takeTurns = takingTurns();
  for (const url of starts) {
    await takeTurns();
    admitted.push(await filter.admitStartInTurns(url, takeTurns));
  }
  const matchedPatterns = [...new Set(admitted.flatMap(({ patterns }) => patterns))];
  const links = new Map(admitted.map((start) => [start.link.key, start] as const));
  const pages = [...links.values()].map(({ link: { url, key, rule }, isOnlyFollowed }, index) => ({
    index,
    url,
    host: new URL(url).host,
    crawled: {
      key,
      depth: 0,
      ...defined({ rule }),
      ...(isOnlyFollowed && { isOnlyFollowed }),
    },
  }));
  const readsRobots = terms.robots === 'obey' || terms.sitemap !== 'skip';
  const sites = new Map(pages.map(({ url }) => [new URL(url).origin, url]));
  return {
    pages,
    crawlFiles: readsRobots ? [...sites.values()].map((url) => robotsPageOf(url)) : [],
    crawl: {
      places,
      hosts: [...new Set(pages.map(({ host }) => host))],
      nextIndex: pages.length,
      started: 0,
      fetched: 0,
      visited: 0,
      missing: 0,
      depth: 0,
      matchedPatterns,
      skipped: zeros(SKIP_REASONS),
      dropped: zeros(DROP_REASONS),
      warnings: [],
      ...(since.length > 0 && { since: [...since], changes: zeros(CHANGE_FILTERS) }),
    },
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Number of earlier crawls in which the last content of a page is looked for. */
const MAX_CRAWLS = 10;

/**
 * Returns the ids of the crawls that a new one is compared with, latest first: the one that it names, or the last run of
 * its schedule that has finished, and those that this one was compared with. Empty if there is none, or if its pages are
 * told apart by other rules.
 */
export async function findSince(
  { jobId, accountId, scheduleId, request: { crawl } }: CreateJobCommand,
  { jobs }: { readonly jobs: Pick<Stores['jobs'], 'findJob' | 'findCrawlBefore'> },
): Promise<string[]> {
  if (!crawl) return [];
  const before =
    crawl.since !== undefined
      ? await jobs.findJob(accountId, crawl.since)
      : crawl.changes && scheduleId !== undefined
        ? await jobs.findCrawlBefore({ accountId, scheduleId, jobId })
        : null;
  if (!before || !hasSameKeys(before, crawl)) return [];
  return [before.id, ...(before.crawl?.since ?? [])].slice(0, MAX_CRAWLS);
}

function hasSameKeys({ crawlJson = '{}' }: StoredJob, { ignoreQuery = false }: CrawlOptions): boolean {
  const { ignoreQuery: before = false } = JSON.parse(crawlJson) as CrawlOptions;
  return JSON.stringify(before) === JSON.stringify(ignoreQuery);
}
