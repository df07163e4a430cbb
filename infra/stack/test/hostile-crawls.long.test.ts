import type { CrawlOptions, Job } from '@gleaner/contracts';
import { eventually, type HostileSiteName, type Site, startHostileSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestStack, type TestStack } from './test-stack.ts';

/** End of a crawl of a hostile site. */
interface Ending {
  /** Warnings that name the danger. */
  readonly warnings?: readonly string[];
  readonly status?: Job['status'];
  /** Most pages that are fetched. */
  readonly fetched: number;
  readonly options?: CrawlOptions;
  /** Time for one page. */
  readonly timeoutMs?: number;
}

const LIMIT = 400;

const ENDINGS: Readonly<Record<HostileSiteName, Ending>> = {
  calendar: { fetched: 250, warnings: ['PATTERN_FULL'] },
  canonicalHome: { fetched: 11 },
  endlessPages: { fetched: 200, warnings: ['PATTERN_FULL'], options: { maxDepth: 100, maxPerPattern: 60 } },
  entitySitemap: { fetched: 2, warnings: ['SITEMAP_TRUNCATED'] },
  facets: { fetched: 120, warnings: ['PATTERN_CLOSED'] },
  failingRobots: { fetched: 1, status: 'failed', warnings: ['ROBOTS_UNREACHABLE'] },
  growingLink: { fetched: 12, warnings: ['ENDLESS_LINKS'] },
  htmlRobots: { fetched: 10 },
  hugeRobots: { fetched: 10 },
  indexOfItself: { fetched: 10 },
  longUrls: { fetched: 2, warnings: ['ENDLESS_LINKS'] },
  loopingRobots: { fetched: 1, status: 'failed', warnings: ['ROBOTS_UNREACHABLE'] },
  manyLinks: { fetched: 250, warnings: ['LINKS_TRUNCATED', 'PATTERN_FULL'] },
  manyWildcards: { fetched: 10 },
  oneLineSitemap: { fetched: LIMIT, warnings: ['SITEMAP_TRUNCATED'] },
  sessionInPath: { fetched: 120, warnings: ['PATTERN_CLOSED'] },
  sessionInQuery: { fetched: 120, warnings: ['PATTERN_CLOSED'] },
  sitemapBomb: { fetched: 10, warnings: ['SITEMAP_TRUNCATED'] },
  softNotFound: { fetched: 120, warnings: ['PATTERN_CLOSED'] },
  stalledPages: { fetched: 4, status: 'partial', timeoutMs: 4000 },
  twinNames: { fetched: 4 },
};

let bed: TestStack;
const sites = new Map<string, Site>();

beforeAll(async () => {
  for (const name of Object.keys(ENDINGS) as HostileSiteName[]) sites.set(name, await startHostileSite(name));
  const hosts = [...sites.values()].map(({ origin }) => new URL(origin).host);
  bed = await startTestStack({}, hosts);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  for (const site of sites.values()) await site.close();
});

it('ends crawls of hostile sites within their bounds, and says what was wrong', async () => {
  const ids = new Map<string, string>();
  for (const [name, { options, timeoutMs = 30_000 }] of Object.entries(ENDINGS)) {
    const { json } = await bed.ask('/v1/jobs', {
      name,
      urls: [`${sites.get(name)?.origin}/`],
      timeout: timeoutMs,
      crawl: { limit: LIMIT, concurrency: 16, ...options },
    });
    ids.set(name, json.job.id);
  }
  const seen: Record<string, unknown> = {};
  for (const [name, id] of ids) {
    const job = await eventually(
      async () => {
        const { json } = await bed.ask(`/v1/jobs/${id}?resultsLimit=0`);
        if (!json.job.completedAt) throw new Error(`${name} is ${json.job.status}.`);
        return json.job as Job;
      },
      { timeoutMs: 400_000 },
    );
    const { status = 'completed', fetched, warnings = [] } = ENDINGS[name as HostileSiteName];
    const codes = new Set(job.crawl?.warnings?.map(({ code }) => code));
    const missing = warnings.filter((code) => !codes.has(code as never));
    const isBounded = (job.crawl?.fetched ?? 0) <= fetched;
    if (!isBounded || missing.length > 0 || job.status !== status)
      seen[name] = { status: job.status, crawl: job.crawl, missing };
  }
  expect(seen).toEqual({});
}, 500_000);
