import type { Board, StoredJob, Stores } from '@gleaner/storage';
import { RobotsGate } from '../../src/crawl/robots-gate.ts';
import type { ActiveJob } from '../../src/dispatch/active-job.ts';
import { ActiveJobs } from '../../src/dispatch/active-jobs.ts';
import { profileLoadsOf } from '../../src/dispatch/active-profiles.ts';
import { HostPaces } from '../../src/dispatch/host-pace.ts';
import { InFlight } from '../../src/dispatch/in-flight.ts';
import { type PlannedLane, planDispatch } from '../../src/dispatch/plan-dispatch.ts';
import { SharedLanes } from '../../src/dispatch/shared-lanes.ts';
import { Turns } from '../../src/dispatch/turns.ts';
import type { PlannerPlace } from '../../src/shares/planner-shares.ts';
import { WaitingPages, type Workload } from './waiting-pages.ts';

/** Options of a simulation. */
export interface SimulationOptions {
  readonly workload: Workload;
  readonly scrapers: number;
  /** Pages after which it stops. */
  readonly maxPages: number;
  readonly maxPagesPerJob?: number;
  /** Simulated time that a page takes, at least and at most. */
  readonly pageMs: { readonly least: number; readonly most: number };
  /** Simulates this one of several planners. */
  readonly place?: PlannerPlace;
}

/** Result of a simulation. */
export interface SimulationReport {
  readonly dispatched: number;
  readonly waiting: number;
  /** CPU time that planning, keeping pages ahead, and following the ends of pages took on this machine. */
  readonly planningMs: number;
  readonly readingMs: number;
  readonly endingMs: number;
  readonly rounds: number;
  /** Queries for pages of a job. */
  readonly queries: number;
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

/**
 * Runs the dispatcher's own planning on simulated workers: the code of the job-orchestrator reads ahead, chooses the next page,
 * paces hosts and follows the pages in flight; the database and the workers are numbers.
 */
export async function simulateDispatch(options: SimulationOptions): Promise<SimulationReport> {
  const { workload, scrapers, maxPages, pageMs, maxPagesPerJob = MAX_PAGES_PER_JOB } = options;
  const { place } = options;
  const shared = place && new SharedLanes(mirrorOf(place), place, maxPagesPerJob);
  const waiting = new WaitingPages(workload, shared?.hosts);
  const stores = storesOf(waiting, workload);
  const gate = new RobotsGate({ stores: stores as Stores, retentionMs: 0 });
  const jobs = new ActiveJobs(stores, gate, shared?.hosts);
  const paces = new HostPaces({ maxPagesPerHost: MAX_PAGES_PER_HOST, hostDelayMs: 0, maxPauseMs: 0 });
  const inFlight = new InFlight({ jobs, paces });
  const turns = new Turns();
  const slots = scrapers * PAGES_PER_SCRAPER;
  const sent = new SentLanes(waiting, pageMs);
  const times = { planningMs: 0, readingMs: 0, endingMs: 0 };
  let nowMs = 0;
  let expectedAtMs = 0;
  let rounds = 0;
  let mostOfJob = 0;
  let isShort = false;
  await jobs.refresh();
  while (sent.pages < maxPages) {
    rounds += 1;
    const startedAtMs = cpuMs();
    const freeSlots = { http: slots - inFlight.lanes.size, browser: 0 };
    await jobs.fill({ paces, freeSlots, maxPagesPerJob, onEnded: () => {} });
    const readAtMs = cpuMs();
    const { suspects } = inFlight;
    const situation = { jobs: jobs.all(), paces, mayGo: () => true, lanes: inFlight.lanes, suspects, nowMs };
    await shared?.tell(situation, isShort);
    const limits = shared?.limitsOf(jobs.all(), 'http', slots);
    const plan = planDispatch({
      jobs: jobs.all(),
      profiles: profileLoadsOf(jobs.all()),
      ...limits,
      paces,
      room: (limits?.lanes ?? slots) - inFlight.lanes.size,
      maxPages: MAX_BATCH,
      maxPagesPerJob,
      suspects: { ...suspects, limitPerAccount: 1, wasLastChance: false },
      turns,
      nowMs,
    });
    const { lanes, dry, isFull } = plan;
    isShort = plan.isShort;
    jobs.noteDry(dry);
    inFlight.start(lanes, nowMs);
    const plannedAtMs = cpuMs();
    sent.add(lanes, nowMs);
    for (const { job } of lanes) mostOfJob = Math.max(mostOfJob, job.lanes);
    times.readingMs += readAtMs - startedAtMs;
    times.planningMs += plannedAtMs - readAtMs;
    if (isFull) continue;
    if (inFlight.lanes.size === 0 && waiting.size === 0) break;
    // No page can be sent before the next of those in flight has ended; those of the same moment end with it. The others
    // may tell a planner that has none in flight.
    nowMs = Math.max(nowMs + 1, (sent.nextEndMs ?? nowMs + (shared ? 200 : 0)) + pageMs.least / 10);
    const ended = sent.takeEnded(nowMs);
    const endingAtMs = cpuMs();
    for (const id of ended) inFlight.release(id, 'ended', nowMs);
    times.endingMs += cpuMs() - endingAtMs;
    if (nowMs - expectedAtMs < EXPECT_MORE_MS) continue;
    expectedAtMs = nowMs;
    paces.recount(inFlight.lanes, nowMs);
    jobs.expectMore();
  }
  return {
    ...sent.counts,
    ...times,
    rounds,
    queries: waiting.queries,
    mostOfJob,
    waiting: waiting.size,
    simulatedMs: nowMs,
  };
}

/** The lanes at simulated workers, and what was sent so far. */
class SentLanes {
  readonly #waiting: WaitingPages;
  readonly #pageMs: SimulationOptions['pageMs'];
  /** Ids of the pages that end at a time. */
  readonly #endings = new Map<number, { readonly host: string; readonly ids: readonly string[] }[]>();
  readonly #lanesByHost = new Map<string, number>();
  readonly #byAccount = new Map<string, number>();
  #endedUntilMs = 0;
  #inFlight = 0;
  #outOfOrder = 0;
  #mostInFlight = 0;
  #mostOfHost = 0;
  pages = 0;

  constructor(waiting: WaitingPages, pageMs: SimulationOptions['pageMs']) {
    this.#waiting = waiting;
    this.#pageMs = pageMs;
  }

  get counts() {
    return {
      dispatched: this.pages,
      outOfOrder: this.#outOfOrder,
      mostInFlight: this.#mostInFlight,
      mostOfHost: this.#mostOfHost,
      byAccount: this.#byAccount,
    };
  }

  /** Time when the next lane ends; undefined while none is in flight. */
  get nextEndMs(): number | undefined {
    if (this.#inFlight === 0) return undefined;
    let ms = this.#endedUntilMs + 1;
    while (!this.#endings.has(ms)) ms += 1;
    return ms;
  }

  add(lanes: readonly PlannedLane<ActiveJob>[], nowMs: number): void {
    for (const { job, pages } of lanes) {
      const [{ host }] = pages;
      let endsAtMs = Math.ceil(nowMs);
      for (const { id } of pages) {
        if (!this.#waiting.claim(job.id, Number(id.split(':')[1]))) this.#outOfOrder += 1;
        const { least, most } = this.#pageMs;
        endsAtMs += least + ((this.pages * 7919) % (most - least + 1));
        this.pages += 1;
      }
      const ofHost = (this.#lanesByHost.get(host) ?? 0) + 1;
      this.#lanesByHost.set(host, ofHost);
      this.#mostOfHost = Math.max(this.#mostOfHost, ofHost);
      this.#byAccount.set(job.accountId, (this.#byAccount.get(job.accountId) ?? 0) + pages.length);
      const lane = { host, ids: pages.map(({ id }) => id) };
      this.#endings.set(endsAtMs, [...(this.#endings.get(endsAtMs) ?? []), lane]);
      this.#inFlight += 1;
    }
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
  }

  /** Returns the pages of the lanes that have ended by now. */
  takeEnded(nowMs: number): string[] {
    const ended: string[] = [];
    for (let ms = this.#endedUntilMs + 1; ms <= nowMs; ms++) {
      for (const { host, ids } of this.#endings.get(ms) ?? []) {
        ended.push(...ids);
        const left = (this.#lanesByHost.get(host) ?? 1) - 1;
        if (left > 0) this.#lanesByHost.set(host, left);
        else this.#lanesByHost.delete(host);
        this.#inFlight -= 1;
      }
      this.#endings.delete(ms);
    }
    this.#endedUntilMs = Math.floor(nowMs);
    return ended;
  }
}

/** Returns the document of planners that are all as the simulated one is. */
function mirrorOf({ planners }: PlannerPlace): Pick<Stores, 'board' | 'clock'> {
  let board: Board = { version: 1, parts: Array.from({ length: planners }, () => '') };
  return {
    clock: { now: () => new Date(0), nowMs: () => 0 },
    board: {
      readBoard: async () => board,
      writePart: async ({ part }) => {
        board = { version: board.version + 1, parts: board.parts.map(() => part) };
        return board;
      },
    },
  };
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
