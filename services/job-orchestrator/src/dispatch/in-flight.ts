import type { StoredPage } from '@gleaner/storage';
import type { ActiveJob } from './active-job.ts';
import type { ActiveJobs } from './active-jobs.ts';
import type { EndedPage, HostPaces } from './host-pace.ts';
import type { PickedPage, RunningLane } from './picked-page.ts';
import { isLastChance, type PlannedLane, type SuspectSituation } from './plan-dispatch.ts';

interface RunningPage {
  /** Unknown of pages whose job is not active in this process. */
  readonly accountId: string;
  readonly losses: number;
  readonly lane: RunningLane;
}

/** A page that was sent or released this recently may not be seen as such in the database yet. */
const FRESH_MS = 2000;

/** Collaborators that are told when pages start and end. */
interface InFlightDeps {
  readonly jobs: Pick<ActiveJobs, 'all' | 'find' | 'noteHost'>;
  readonly paces: Pick<HostPaces, 'recount' | 'endPage' | 'endLane'>;
}

/** The pages in flight and their lanes, as this dispatcher knows them. */
export class InFlight {
  readonly #jobs: InFlightDeps['jobs'];
  readonly #paces: InFlightDeps['paces'];
  readonly #running = new Map<string, RunningPage>();
  /** The running pages with a lost worker: few, while there may be very many pages. */
  readonly #suspects = new Map<string, RunningPage>();
  readonly #lanes = new Set<RunningLane>();
  /** Pages that were released a moment ago, with the time: until their outcomes are stored, they still count as running there. */
  readonly #released = new Map<string, number>();

  constructor({ jobs, paces }: InFlightDeps) {
    this.#jobs = jobs;
    this.#paces = paces;
  }

  /** Number of pages. */
  get pages(): number {
    return this.#running.size;
  }

  get lanes(): ReadonlySet<RunningLane> {
    return this.#lanes;
  }

  /** The pages in flight that have lost a worker. */
  get suspects(): Pick<SuspectSituation, 'running' | 'lastChanceJobId'> {
    const suspects = [...this.#suspects.values()];
    return {
      running: countBy(suspects, ({ accountId }) => accountId),
      lastChanceJobId: suspects.find(isLastChance)?.lane.jobId,
    };
  }

  /** Counts lanes as in flight before they are sent: their outcomes may come before the broker's confirm. Returns their pages. */
  start(planned: readonly PlannedLane<ActiveJob>[], nowMs: number): PickedPage[] {
    const picks = planned.flatMap(({ job, pages }) => {
      const lane = { jobId: job.id, host: pages[0].host, sinceMs: nowMs, left: pages.length, fetched: 0 };
      job.lanes += 1;
      this.#lanes.add(lane);
      return pages.map((page): PickedPage => ({ job, page, lane }));
    });
    const ids = new Set(picks.map(({ page }) => page.id));
    for (const { job, page, lane } of picks) {
      this.#note(page.id, { accountId: job.accountId, losses: page.losses, lane });
      this.#released.delete(page.id);
    }
    for (const [job, lanes] of Map.groupBy(planned, (lane) => lane.job)) {
      job.waiting = job.waiting.filter(({ id }) => !ids.has(id));
      job.readyAhead = Math.max(0, job.readyAhead - lanes.length);
    }
    for (const { job, pages } of planned) this.#jobs.noteHost(job.id, pages[0].host);
    return picks;
  }

  /** Notes that a page is no longer in flight; returns false if it was not. */
  release(id: string, because: EndedPage['because'], nowMs: number): boolean {
    const page = this.#running.get(id);
    if (!page) return false;
    this.#delete(id);
    this.#released.set(id, nowMs);
    const { lane } = page;
    this.#paces.endPage({ ...lane, because }, nowMs);
    lane.left -= 1;
    if (because !== 'unsent') lane.fetched += 1;
    if (lane.left === 0) {
      this.#lanes.delete(lane);
      this.#paces.endLane(lane, nowMs);
      const job = this.#jobs.find(lane.jobId);
      if (job) job.lanes = Math.max(0, job.lanes - 1);
    }
    this.#jobs.noteHost(lane.jobId, lane.host);
    return true;
  }

  /** Corrects the pages in flight to the running pages in the database. */
  recount(stored: readonly Pick<StoredPage, 'id' | 'jobId' | 'host' | 'losses'>[], nowMs: number): void {
    const ids = new Set(stored.map(({ id }) => id));
    for (const [id, { lane }] of this.#running) {
      if (!ids.has(id) && nowMs - lane.sinceMs > FRESH_MS) this.#delete(id);
    }
    for (const [id, releasedAtMs] of this.#released) {
      if (nowMs - releasedAtMs > FRESH_MS) this.#released.delete(id);
    }
    for (const { id, jobId, host, losses } of stored) {
      if (this.#released.has(id)) continue;
      const accountId = this.#jobs.find(jobId)?.accountId ?? '';
      // A page that another process has sent counts as a lane of its own.
      const lane = this.#running.get(id)?.lane ?? { jobId, host, sinceMs: nowMs, left: 1, fetched: 0 };
      this.#note(id, { accountId, losses, lane });
    }
    this.#lanes.clear();
    for (const { lane } of this.#running.values()) {
      lane.left = this.#lanes.has(lane) ? lane.left + 1 : 1;
      this.#lanes.add(lane);
    }
    this.#paces.recount(this.#lanes, nowMs);
    const byJob = countBy([...this.#lanes], ({ jobId }) => jobId);
    for (const job of this.#jobs.all()) job.lanes = byJob.get(job.id) ?? 0;
  }

  /** Forgets everything: another process may dispatch now. */
  clear(): void {
    this.#running.clear();
    this.#suspects.clear();
    this.#lanes.clear();
    this.#released.clear();
  }

  #note(id: string, page: RunningPage): void {
    this.#running.set(id, page);
    if (page.losses > 0) this.#suspects.set(id, page);
    else this.#suspects.delete(id);
  }

  #delete(id: string): void {
    this.#running.delete(id);
    this.#suspects.delete(id);
  }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
