import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrawlChanges, Job } from '@gleaner/contracts';
import { startSiteGraph } from '@gleaner/test-kit';
import { type Findings, listFindings, noFindings } from '../check/findings.ts';
import { type Fault, KILLS, NETWORK_FAULTS, OUTAGES, PAUSES } from '../faults.ts';
import { createJobClient, type JobClient } from '../job-client.ts';
import { createRandom, type Random } from '../random.ts';
import { type ChaosStack, startChaosStack } from '../stack/chaos-stack.ts';
import type { BrokerKind } from '../stack/choose-broker.ts';
import { waitUntil } from '../wait-until.ts';
import { checkCrawl, checkFetches, hasFinished, type WatchedCrawl } from './check-crawl.ts';
import { compareCrawls, firstEdits } from './compare-crawls.ts';
import { type PlannedCrawl, planCrawls } from './plan-crawls.ts';

/** Options of a run; the same seed chooses the same graph and faults. */
export interface CrawlChaosOptions {
  readonly seed: number;
  readonly faults: number;
  /** Pages of the graph. */
  readonly pages: number;
  readonly brokerKind: BrokerKind;
  readonly print: (line: string) => void;
}

/** A crawl of a run. */
export interface SummedCrawl {
  readonly name: string;
  readonly results: number;
  readonly seconds: number;
  /** Only of crawls that are compared with an earlier one. */
  readonly changes?: CrawlChanges;
}

/** Result of a run. */
export interface CrawlChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly crawls: readonly SummedCrawl[];
  readonly findings: Findings;
}

const FAULTS: Readonly<Record<string, Fault>> = { ...KILLS, ...OUTAGES, ...NETWORK_FAULTS, ...PAUSES };
const HOSTS = 3;
const CREDITS = 10_000_000;
const MEAN_PAUSE_MS = 900;
const POLL_MS = 500;
/** Time to finish after the last fault: a bound on a hang, even on a machine with much other work. */
const HEALING_MS = 600_000;
const HEALING_MS_PER_PAGE = 240;

/** Crawls a graph with several options at once while faults are injected, then compares with what the graph itself says. */
export async function runCrawlChaos(options: CrawlChaosOptions): Promise<CrawlChaosReport> {
  const { seed, pages, brokerKind, print } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-crawl-chaos-'));
  await using site = await startSiteGraph({ seed, size: pages, hosts: HOSTS });
  const healingMs = HEALING_MS + pages * HEALING_MS_PER_PAGE;
  const stack = await startChaosStack({
    ...{ dataDir, credits: CREDITS, brokerKind, databaseKind: 'embedded' },
    egressAllow: site.graph.origins.map((origin) => new URL(origin).host),
  });
  const client = createJobClient({ stack, urlOf: String, webhookUrl: '' });
  const findings = noFindings();
  try {
    site.edit(firstEdits(pages));
    const planned = planCrawls(site);
    const crawls: WatchedCrawl[] = [];
    for (const plan of planned) crawls.push(await createCrawl(plan, site.urlOf(0), client));
    const watch = watchCrawls(crawls, client);
    const faults = await injectAll(options, crawls, stack, createRandom(seed));
    await waitUntil(() => crawls.every(hasFinished), healingMs);
    await watch.stop();
    for (const crawl of crawls) await checkCrawl(crawl, { stack, client }, findings);
    checkFetches(site, planned, findings);
    const compared = await compareCrawls(
      crawls,
      {
        ...{ site, client, create: async (plan) => await createCrawl(plan, site.urlOf(0), client) },
        finish: async (again) => {
          const watching = watchCrawls(again, client);
          countInto(faults, await injectAll(options, again, stack, createRandom(seed + 1)));
          await waitUntil(() => again.every(hasFinished), healingMs);
          await watching.stop();
        },
      },
      findings,
    );
    findings.other.push(...client.answers.dishonest);
    findings.late.push(...client.answers.missing);
    return { faults, crawls: [...crawls, ...compared].map(summarize), findings };
  } finally {
    await stack.stop(async () => {});
    if (listFindings(findings).length === 0) await rm(dataDir, { recursive: true, force: true });
    else print(`The logs and the data are kept in ${dataDir}`);
  }
}

async function createCrawl(plan: PlannedCrawl, url: string, client: JobClient): Promise<WatchedCrawl> {
  const body = { name: plan.name, urls: [url], selectors: { title: 'h1' }, timeout: 8000, crawl: plan.crawl };
  const headers = { 'idempotency-key': plan.name.replaceAll(/\W+/g, '-') };
  const { status, json } = await client.insist<{ job: Job }>('POST', '/v1/jobs', body, headers);
  if (status !== 202)
    throw new Error(`The crawl of ${plan.name} was answered ${status}: ${JSON.stringify(json)}`);
  return { ...plan, id: json.job.id, history: [json.job] };
}

function watchCrawls(crawls: readonly WatchedCrawl[], client: JobClient) {
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const crawl of crawls) {
        if (hasFinished(crawl)) continue;
        const { json } = await client.insist<{ job: Job }>('GET', `/v1/jobs/${crawl.id}?resultsLimit=0`);
        crawl.history.push(json.job);
      }
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}

async function injectAll(
  { faults, print }: CrawlChaosOptions,
  crawls: readonly WatchedCrawl[],
  stack: ChaosStack,
  random: Random,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const names = Object.keys(FAULTS);
  const nowhere = { urlOf: String, hits: new Map<string, number[]>() };
  for (let number = 0; number < faults && !crawls.every(hasFinished); number++) {
    const name = names[(number + Math.floor(number / names.length)) % names.length] ?? '';
    const hasHappened = await FAULTS[name]?.({ stack, jobs: [], random, origin: nowhere });
    print(`  ${number + 1}/${faults} ${hasHappened ? name : `${name}: no moment came`}`);
    if (hasHappened) counts[name] = (counts[name] ?? 0) + 1;
    await sleep(random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
  }
  return counts;
}

function countInto(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

function summarize({ name, results, history }: WatchedCrawl): SummedCrawl {
  const { createdAt, completedAt = createdAt, crawl } = history.at(-1) as Job;
  const seconds = (Date.parse(completedAt) - Date.parse(createdAt)) / 1000;
  return { name, results, seconds, ...(crawl?.changes && { changes: crawl.changes }) };
}
