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

/** Collaborators and limits of the measurements. */
export interface MeasuringDeps {
  readonly stores: Pick<Stores, 'clock' | 'leases' | 'pages'>;
  readonly logger: Logger;
  readonly owner: string;
  readonly dispatcher: { readonly isDispatching: boolean; readonly load: DispatchLoad };
  readonly maxPagesPerJob: number;
  readonly maxPagesPerHost: number;
}

const ROLE = 'dispatch';
const INTERVAL_MS = 5000;
/** Age up to which a reading is shown: an older one comes from a dispatcher that has ended. */
const SHOWN_FOR_MS = 60_000;

/**
 * Measures the demand every few seconds in the orchestrator that dispatches, and stores it for all of them. Returns the
 * function that stops it.
 */
export function startMeasuring(deps: MeasuringDeps): () => Promise<void> {
  const { stores, logger, owner, dispatcher, maxPagesPerJob, maxPagesPerHost } = deps;
  const waits = new Waits();
  const limits = { clock: stores.clock, pages: stores.pages, maxPagesPerJob, maxPagesPerHost };
  return repeatAtIntervals(
    async () => {
      if (!dispatcher.isDispatching) return waits.clear();
      const jobs = await measureDemand(dispatcher.load, limits);
      const now = stores.clock.now();
      const longest = waits.update(jobs, now.getTime());
      const values = {
        pagesHttp: sumOf(jobs, 'http'),
        pagesBrowser: sumOf(jobs, 'browser'),
        waitHttp: longest.http,
        waitBrowser: longest.browser,
      };
      await stores.leases.storeReadings(ROLE, owner, { at: now, values });
    },
    { intervalMs: INTERVAL_MS, logger, onFailure: 'The demand for scrapers could not be measured.' },
  );
}

/** Returns the demand that the dispatching orchestrator measured last; undefined while none dispatches. */
export async function readDemand({
  clock,
  leases,
}: Pick<Stores, 'clock' | 'leases'>): Promise<Demand | undefined> {
  const readings = await leases.findReadings(ROLE);
  if (!readings || clock.nowMs() - readings.at.getTime() > SHOWN_FOR_MS) return undefined;
  const { pagesHttp = 0, pagesBrowser = 0, waitHttp = 0, waitBrowser = 0 } = readings.values;
  return {
    dispatchablePages: { http: pagesHttp, browser: pagesBrowser },
    longestWaitSeconds: { http: waitHttp, browser: waitBrowser },
  };
}

/** Returns the demand for autoscalers. Throws SERVICE_UNAVAILABLE while no orchestrator dispatches. */
export async function reportDemand(stores: Pick<Stores, 'clock' | 'leases'>): Promise<Demand> {
  const demand = await readDemand(stores);
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

  clear(): void {
    this.#sinceMs.clear();
  }

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
