import type { Job } from '@gleaner/contracts';
import { startSiteGraph } from '@gleaner/test-kit';
import { type Fault, KILLS, NETWORK_FAULTS, OUTAGES, PAUSES } from '../faults.ts';
import { injectFaults } from '../inject-faults.ts';
import { hasEnded } from '../job-client.ts';
import type { Row } from '../report.ts';
import { waitUntil } from '../wait-until.ts';
import { watchProgress } from '../watch-progress.ts';
import type { ChaosOptions, ChaosRun, Workload } from '../workload.ts';
import { checkCrawl, checkFetches, type WatchedCrawl } from './check-crawl.ts';
import { compareCrawls, firstEdits } from './compare-crawls.ts';
import { type PlannedCrawl, planCrawls } from './plan-crawls.ts';

const FAULTS: Readonly<Record<string, Fault>> = { ...KILLS, ...OUTAGES, ...NETWORK_FAULTS, ...PAUSES };
const HOSTS = 3;
/** Time to finish after the last fault: a bound on a hang, even on a machine with much other work. */
const HEALING_MS = 600_000;
const HEALING_MS_PER_PAGE = 240;

/** Prepares crawls of a graph with several options at once, and of the same graph after an edit. */
export async function prepareCrawls(
  { seed, urls: size }: ChaosOptions,
  scope: AsyncDisposableStack,
): Promise<Workload> {
  const site = scope.use(await startSiteGraph({ seed, size, hosts: HOSTS }));
  return {
    stack: { egressAllow: site.graph.origins.map((origin) => new URL(origin).host) },
    async run(run) {
      site.edit(firstEdits(size));
      const planned = planCrawls(site);
      const create = async (plan: PlannedCrawl) => await createCrawl(plan, site.urlOf(0), run);
      const crawls: WatchedCrawl[] = [];
      for (const plan of planned) crawls.push(await create(plan));
      await finish(crawls, run);
      for (const crawl of crawls) await checkCrawl(crawl, run);
      checkFetches(site, planned, run.findings);
      const compared = await compareCrawls(crawls, {
        site,
        client: run.client,
        findings: run.findings,
        create,
        finish: async (again) => await finish(again, run),
      });
      return [...crawls, ...compared].map(rowOf);
    },
  };
}

async function createCrawl(plan: PlannedCrawl, url: string, { client }: ChaosRun): Promise<WatchedCrawl> {
  const body = { name: plan.name, urls: [url], selectors: { title: 'h1' }, timeout: 8000, crawl: plan.crawl };
  const headers = { 'idempotency-key': plan.name.replaceAll(/\W+/g, '-') };
  const { status, json } = await client.insist<{ job: Job }>('POST', '/v1/jobs', body, headers);
  if (status !== 202)
    throw new Error(`The crawl of ${plan.name} was answered ${status}: ${JSON.stringify(json)}`);
  return { ...plan, id: json.job.id, history: [json.job] };
}

/** Injects faults until the crawls have finished. */
async function finish(crawls: readonly WatchedCrawl[], run: ChaosRun): Promise<void> {
  const watch = watchProgress(crawls, run.client);
  const isOver = () => crawls.every(hasEnded);
  try {
    await injectFaults({ count: run.faults, faults: FAULTS, order: 'in turn', jobs: [], isOver }, run, watch);
    await waitUntil(isOver, HEALING_MS + run.urls * HEALING_MS_PER_PAGE);
  } finally {
    await watch.stop();
  }
}

function rowOf({ name, results, history }: WatchedCrawl): Row {
  const { createdAt, completedAt = createdAt, crawl } = history.at(-1) as Job;
  const seconds = (Date.parse(completedAt) - Date.parse(createdAt)) / 1000;
  return { crawl: name, results, seconds: seconds.toFixed(1), ...crawl?.changes };
}
