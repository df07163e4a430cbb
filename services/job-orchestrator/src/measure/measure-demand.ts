import type { Engine } from '@gleaner/contracts';
import type { Stores, WaitingBounds } from '@gleaner/storage';
import type { DispatchLoad } from '../dispatch/dispatcher.ts';

/** Pages of one job that could be in flight if there were any number of scrapers. */
export interface JobDemand {
  readonly id: string;
  readonly engine: Engine;
  readonly running: number;
  /** Pages that wait for nothing but a scraper. */
  readonly waiting: number;
}

/** Collaborators and limits of a measurement. */
export interface DemandDeps {
  readonly clock: Stores['clock'];
  readonly pages: Pick<Stores['pages'], 'findWaitingPlaces' | 'countWaitingByHost'>;
  readonly maxPagesPerJob: number;
  readonly maxPagesPerHost: number;
}

/** Jobs up to this size are read together. */
const MAX_SMALL_JOB = 200;
const PAGES_PER_QUERY = 2000;
/** Large jobs that one measurement reads: with more of them, the result is a lower bound. */
const MAX_LARGE_JOBS = 200;

/**
 * Returns the pages of every active job that could be in flight if there were any number of scrapers: those that are in
 * flight, and those that may be sent within the limits of their job and their host. Paused hosts take none.
 */
export async function measureDemand(load: DispatchLoad, deps: DemandDeps): Promise<JobDemand[]> {
  const { jobs, lanes, pausedHosts, shared } = load;
  const hosts = new HostRooms(deps.maxPagesPerHost);
  for (const { host } of lanes) hosts.note(host);
  const bounds = { dueBy: deps.clock.now(), exceptHosts: pausedHosts, share: shared?.hosts };
  const waiting = await countSmallJobs(jobs, bounds, deps);
  let largeJobs = 0;
  const demand: JobDemand[] = [];
  for (const job of jobs) {
    const room = (shared?.mostOf(job) ?? deps.maxPagesPerJob) - job.lanes;
    if (isLarge(job) && room > 0 && largeJobs < MAX_LARGE_JOBS) {
      largeJobs += 1;
      const perHost = deps.maxPagesPerHost;
      waiting.set(job.id, await deps.pages.countWaitingByHost(job.id, { ...bounds, perHost, atMost: room }));
    }
    const counts = [...(waiting.get(job.id) ?? [])];
    const perHost = mostPerHost(job);
    const sendable = counts.reduce((sum, [host, count]) => {
      return sum + hosts.take(host, Math.min(count, perHost, Math.max(0, room - sum)));
    }, 0);
    demand.push({ id: job.id, engine: job.engine, running: job.lanes, waiting: sendable });
  }
  return demand;
}

type ActiveJob = DispatchLoad['jobs'][number];

function isLarge({ totalUrls, crawl }: ActiveJob): boolean {
  return crawl !== undefined || totalUrls > MAX_SMALL_JOB;
}

function mostPerHost({ crawl }: ActiveJob): number {
  if (!crawl) return Number.POSITIVE_INFINITY;
  return crawl.terms.delay > 0 ? 1 : crawl.terms.concurrency;
}

/** Returns the number of waiting pages of each host, by job. */
async function countSmallJobs(
  jobs: readonly ActiveJob[],
  bounds: Omit<WaitingBounds, 'atMost'>,
  { pages }: DemandDeps,
): Promise<Map<string, ReadonlyMap<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  const small = jobs.filter((job) => !isLarge(job));
  for (let start = 0, end = 0; start < small.length; start = end) {
    for (let urls = 0; end < small.length && urls < PAGES_PER_QUERY; end++)
      urls += small[end]?.totalUrls ?? 0;
    const ids = small.slice(start, end).map(({ id }) => id);
    const places = await pages.findWaitingPlaces(ids, { ...bounds, atMost: PAGES_PER_QUERY + MAX_SMALL_JOB });
    for (const { jobId, host } of places) {
      const byHost = counts.get(jobId) ?? new Map<string, number>();
      byHost.set(host, (byHost.get(host) ?? 0) + 1);
      counts.set(jobId, byHost);
    }
  }
  return counts;
}

/** Pages that each host may still have in flight. */
class HostRooms {
  readonly #taken = new Map<string, number>();
  readonly #perHost: number;

  constructor(perHost: number) {
    this.#perHost = perHost;
  }

  /** Notes a page of the host that is in flight. */
  note(host: string): void {
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
  }

  /** Takes up to this number of the host's room; returns the number taken. */
  take(host: string, wanted: number): number {
    const taken = this.#taken.get(host) ?? 0;
    const granted = Math.max(0, Math.min(wanted, this.#perHost - taken));
    this.#taken.set(host, taken + granted);
    return granted;
  }
}
