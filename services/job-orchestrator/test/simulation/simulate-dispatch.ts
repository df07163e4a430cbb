import type { StoredJob, Stores } from '@gleaner/storage';
import { RobotsGate } from '../../src/crawl/robots-gate.ts';
import { ActiveJobs } from '../../src/dispatch/active-jobs.ts';
import { HostPaces } from '../../src/dispatch/host-pace.ts';
import { planDispatch } from '../../src/dispatch/plan-dispatch.ts';
import { Turns } from '../../src/dispatch/turns.ts';
import { WaitingPages, type Workload } from './waiting-pages.ts';

/** Options of a simulation. */
export interface SimulationOptions {
  readonly workload: Workload;
  readonly scrapers: number;
  /** Pages after which it stops. */
  readonly maxPages: number;
  /** Simulated time that a page takes, at least and at most. */
  readonly pageMs: { readonly least: number; readonly most: number };
}

/** Result of a simulation. */
export interface SimulationReport {
  readonly dispatched: number;
  readonly waiting: number;
  /** CPU time that planning, and keeping pages ahead, took on this machine. */
  readonly planningMs: number;
  readonly readingMs: number;
  readonly simulatedMs: number;
  readonly mostInFlight: number;
  /** Most pages of one host, and of one job, that were in flight at once. */
  readonly mostOfHost: number;
  readonly mostOfJob: number;
  /** Pages sent for each account. */
  readonly byAccount: ReadonlyMap<string, number>;
  /** Pages that were sent although they were not the next of their host; 0 unless the planner has an error. */
  readonly outOfOrder: number;
}

const PAGES_PER_SCRAPER = 40;
const MAX_PAGES_PER_JOB = 200;
const MAX_PAGES_PER_HOST = 8;
/** As the dispatcher claims and sends them. */
const MAX_BATCH = 100;
/** As the dispatcher looks again for pages that it was not told of. */
const EXPECT_MORE_MS = 3000;

interface Flight {
  readonly pages: number;
  readonly sinceMs: number;
  readonly endsAtMs: number;
  readonly jobId: string;
  readonly host: string;
}

/**
 * Runs the dispatcher's own planning on simulated workers: what it reads ahead, which page goes next, and how hosts are paced
 * are the code of the job-orchestrator; the database and the workers are numbers.
 */
export async function simulateDispatch(options: SimulationOptions): Promise<SimulationReport> {
  const { workload, scrapers, maxPages, pageMs } = options;
  const waiting = new WaitingPages(workload);
  const stores = storesOf(waiting, workload);
  const jobs = new ActiveJobs(stores, new RobotsGate({ stores: stores as Stores, retentionMs: 0 }));
  const paces = new HostPaces({ maxPagesPerHost: MAX_PAGES_PER_HOST, hostDelayMs: 0, maxPauseMs: 0 });
  const turns = new Turns();
  const slots = scrapers * PAGES_PER_SCRAPER;
  const counts = { dispatched: 0, outOfOrder: 0, mostInFlight: 0, mostOfHost: 0, mostOfJob: 0 };
  const byAccount = new Map<string, number>();
  const byHost = new Map<string, number>();
  let flights: Flight[] = [];
  let nowMs = 0;
  let planningMs = 0;
  let readingMs = 0;
  let expectedAtMs = 0;
  await jobs.refresh();
  while (counts.dispatched < maxPages) {
    const startedAtMs = cpuMs();
    const freeSlots = { http: slots - flights.length, browser: 0 };
    await jobs.fill({ paces, freeSlots, maxPagesPerJob: MAX_PAGES_PER_JOB, onEnded: () => {} });
    const readAtMs = cpuMs();
    readingMs += readAtMs - startedAtMs;
    const { lanes, isFull } = planDispatch({
      jobs: jobs.all(),
      paces,
      room: freeSlots.http,
      maxPages: MAX_BATCH,
      maxPagesPerJob: MAX_PAGES_PER_JOB,
      suspects: { running: new Map(), lastChanceJobId: undefined, limitPerAccount: 1, wasLastChance: false },
      turns,
      nowMs,
    });
    planningMs += cpuMs() - readAtMs;
    const picked = new Set(lanes.flatMap(({ pages }) => pages.map(({ id }) => id)));
    for (const { job, pages } of lanes) {
      const [{ host }] = pages;
      let takesMs = 0;
      for (const { id } of pages) {
        if (!waiting.claim(job.id, Number(id.split(':')[1]))) counts.outOfOrder += 1;
        takesMs += pageMs.least + ((counts.dispatched * 7919) % (pageMs.most - pageMs.least + 1));
        counts.dispatched += 1;
      }
      job.lanes += 1;
      counts.mostOfJob = Math.max(counts.mostOfJob, job.lanes);
      const ofHost = (byHost.get(host) ?? 0) + 1;
      byHost.set(host, ofHost);
      counts.mostOfHost = Math.max(counts.mostOfHost, ofHost);
      byAccount.set(job.accountId, (byAccount.get(job.accountId) ?? 0) + pages.length);
      flights.push({ pages: pages.length, sinceMs: nowMs, endsAtMs: nowMs + takesMs, jobId: job.id, host });
    }
    for (const job of new Set(lanes.map((lane) => lane.job))) {
      job.waiting = job.waiting.filter(({ id }) => !picked.has(id));
    }
    for (const { job, pages } of lanes) jobs.noteHost(job.id, pages[0].host);
    counts.mostInFlight = Math.max(counts.mostInFlight, flights.length);
    if (isFull) continue;
    if (flights.length === 0 && waiting.size === 0) break;
    // No page can be sent before the next of those in flight has ended; those of the same moment end with it.
    const endsAtMs = flights.reduce(
      (least, flight) => Math.min(least, flight.endsAtMs),
      Number.POSITIVE_INFINITY,
    );
    nowMs = Math.max(nowMs, Number.isFinite(endsAtMs) ? endsAtMs + pageMs.least / 10 : nowMs + 1);
    const ended = flights.filter((flight) => flight.endsAtMs <= nowMs);
    flights = flights.filter((flight) => flight.endsAtMs > nowMs);
    for (const flight of ended) {
      paces.endLane({ ...flight, fetched: flight.pages }, nowMs);
      byHost.set(flight.host, (byHost.get(flight.host) ?? 1) - 1);
      const job = jobs.find(flight.jobId);
      if (job) job.lanes -= 1;
      jobs.noteHost(flight.jobId, flight.host);
    }
    if (nowMs - expectedAtMs < EXPECT_MORE_MS) continue;
    expectedAtMs = nowMs;
    jobs.expectMore();
  }
  return { ...counts, waiting: waiting.size, planningMs, readingMs, simulatedMs: nowMs, byAccount };
}

/** Returns the CPU time of this process: other processes do not change it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the reads of the dispatcher, answered from numbers. */
function storesOf(
  waiting: WaitingPages,
  { pagesPerJob }: Workload,
): Pick<Stores, 'clock' | 'jobs' | 'pages' | 'health'> {
  const stored = new Map(
    waiting.jobs.map(({ id, accountId }) => [
      id,
      {
        id,
        accountId,
        keyId: null,
        optionsJson: '{}',
        status: 'running',
        totalUrls: pagesPerJob,
        createdAt: new Date(0),
      },
    ]),
  );
  return {
    health: { findEvidenceUrls: async () => new Map() },
    clock: { now: () => new Date(), nowMs: Date.now },
    jobs: {
      findActiveIds: async (perAccount: number) => {
        const byAccount = Map.groupBy(waiting.jobs, ({ accountId }) => accountId);
        return [...byAccount.values()].map((jobs) => jobs.slice(0, perAccount).map(({ id }) => id));
      },
      findJobs: async (ids: readonly string[]) =>
        ids.flatMap((id) => stored.get(id) ?? []) as unknown as StoredJob[],
    },
    pages: {
      findWaiting: async (ids: readonly string[], { limit }: { limit: number }) =>
        ids.flatMap((id) => waiting.findByHost(id, { afterHost: '', limit })).slice(0, limit),
      findWaitingByHost: async (id: string, bounds: { afterHost: string; limit: number }) =>
        waiting.findByHost(id, bounds),
    },
  } as unknown as Pick<Stores, 'clock' | 'jobs' | 'pages' | 'health'>;
}
