import { AppError, type Engine } from '@gleaner/contracts';
import { type Logger, repeatAtIntervals } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { DispatchLoad } from '../dispatch/dispatcher.ts';
import { type JobDemand, measureDemand } from './measure-demand.ts';

/** Demand for scrapers, by engine. */
export interface Demand {
  /** Pages that could be in flight if there were any number of scrapers. */
  readonly dispatchablePages: Readonly<Record<Engine, number>>;
  /** Longest time for which a job has had pages to send and none in flight. */
  readonly longestWaitSeconds: Readonly<Record<Engine, number>>;
}

/** A planner of this process, and the role under which it dispatches. */
interface RunningPlanner {
  readonly role: string;
  readonly dispatcher: { readonly load: DispatchLoad };
}

/** Collaborators and limits of the measurements. */
export interface MeasuringDeps {
  readonly stores: Pick<Stores, 'clock' | 'leases' | 'pages'>;
  readonly logger: Logger;
  readonly owner: string;
  readonly planners: { readonly running: readonly RunningPlanner[] };
  readonly maxPagesPerJob: number;
  readonly maxPagesPerHost: number;
}

const INTERVAL_MS = 5000;
/** Age up to which a reading is shown: an older one comes from a dispatcher that has ended. */
const SHOWN_FOR_MS = 60_000;

/**
 * Measures the demand every few seconds in the orchestrators that dispatch, and stores it for all of them. Returns the
 * function that stops it.
 */
export function startMeasuring(deps: MeasuringDeps): () => Promise<void> {
  const { stores, logger, owner, planners, maxPagesPerJob, maxPagesPerHost } = deps;
  const allWaits = new Map<string, Waits>();
  const limits = { clock: stores.clock, pages: stores.pages, maxPagesPerJob, maxPagesPerHost };
  const measure = async ({ role, dispatcher }: RunningPlanner) => {
    const waits = allWaits.get(role) ?? new Waits();
    allWaits.set(role, waits);
    const jobs = await measureDemand(dispatcher.load, limits);
    const now = stores.clock.now();
    const longest = waits.update(jobs, now.getTime());
    const values = {
      pagesHttp: sumOf(jobs, 'http'),
      pagesBrowser: sumOf(jobs, 'browser'),
      waitHttp: longest.http,
      waitBrowser: longest.browser,
    };
    await stores.leases.storeReadings(role, owner, { at: now, values });
  };
  return repeatAtIntervals(
    async () => {
      const { running } = planners;
      for (const role of allWaits.keys())
        if (!running.some((planner) => planner.role === role)) allWaits.delete(role);
      for (const planner of running) await measure(planner);
    },
    { intervalMs: INTERVAL_MS, logger, onFailure: 'The demand for scrapers could not be measured.' },
  );
}

/** Collaborators of reading the demand. */
export interface ReadDemandDeps {
  readonly stores: Pick<Stores, 'clock' | 'leases'>;
  /** Roles of all planners. */
  readonly roles: readonly string[];
}

/** Returns the demand that the dispatching orchestrators measured last; undefined while a planner is not running. */
export async function readDemand({ stores, roles }: ReadDemandDeps): Promise<Demand | undefined> {
  const { clock, leases } = stores;
  const readings = await leases.findReadings(roles);
  const shown = readings.filter(({ at }) => clock.nowMs() - at.getTime() <= SHOWN_FOR_MS);
  if (shown.length < roles.length) return undefined;
  const valuesOf = (name: string) => shown.map(({ values }) => values[name] ?? 0);
  const sum = (name: string) => valuesOf(name).reduce((total, value) => total + value, 0);
  return {
    dispatchablePages: { http: sum('pagesHttp'), browser: sum('pagesBrowser') },
    longestWaitSeconds: {
      http: Math.max(...valuesOf('waitHttp')),
      browser: Math.max(...valuesOf('waitBrowser')),
    },
  };
}

/** Returns the demand for autoscalers. Throws SERVICE_UNAVAILABLE while no orchestrator dispatches. */
export async function reportDemand(deps: ReadDemandDeps): Promise<Demand> {
  const demand = await readDemand(deps);
  if (demand) return demand;
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'No job-orchestrator is dispatching pages.' });
}

function sumOf(jobs: readonly JobDemand[], engine: Engine): number {
  return jobs
    .filter((job) => job.engine === engine)
    .reduce((sum, { running, waiting }) => sum + running + waiting, 0);
}

/** Times since which jobs have pages to send and none in flight. */
export class Waits {
  #sinceMs = new Map<string, number>();

  /** Notes the jobs of one measurement; returns the longest wait of each engine in seconds. */
  update(jobs: readonly JobDemand[], nowMs: number): Record<Engine, number> {
    const longest = { http: 0, browser: 0 };
    const waiting = new Map<string, number>();
    for (const job of jobs) {
      if (job.running > 0 || job.waiting === 0) continue;
      const sinceMs = this.#sinceMs.get(job.id) ?? nowMs;
      waiting.set(job.id, sinceMs);
      longest[job.engine] = Math.max(longest[job.engine], (nowMs - sinceMs) / 1000);
    }
    this.#sinceMs = waiting;
    return longest;
  }
}
