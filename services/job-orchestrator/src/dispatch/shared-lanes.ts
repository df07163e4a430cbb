import type { Engine } from '@gleaner/contracts';
import { type HostShare, hostShareOf, type Stores } from '@gleaner/storage';
import type { Limited } from '../shares/lane-shares.ts';
import { type PlannerDemand, type PlannerPlace, PlannerShares, SUSPECTS } from '../shares/planner-shares.ts';
import type { ActiveJob } from './active-job.ts';
import { profileLoadsOf, profileUseOf } from './active-profiles.ts';
import type { HostPaces } from './host-pace.ts';
import { isLastChance, type SuspectSituation } from './plan-dispatch.ts';

/** Jobs of a planner, and what it has in flight. */
export interface DemandSituation {
  readonly jobs: readonly ActiveJob[];
  readonly paces: Pick<HostPaces, 'roomOf' | 'readyAtMs'>;
  /** Returns whether the profile of a job, if it has one, is signed in. */
  readonly mayGo: (job: ActiveJob) => boolean;
  readonly lanes: Iterable<{ readonly jobId: string }>;
  readonly suspects: Pick<SuspectSituation, 'running' | 'lastChanceJobId'>;
  readonly nowMs: number;
}

/** Interval at which a planner tells the others its demand, and the one while it lacks something. */
const TELL_MS = 1000;
const TELL_SHORT_MS = 200;

/** The lanes that one of several planners may have in flight: of the scrapers, of accounts, of jobs and of profiles. */
export class SharedLanes {
  /** Hosts of this planner. */
  readonly hosts: HostShare;
  readonly #shares: PlannerShares;
  readonly #maxPagesPerJob: number;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(stores: Pick<Stores, 'board' | 'clock'>, place: PlannerPlace, maxPagesPerJob: number) {
    this.hosts = hostShareOf(place.planner, place.planners);
    this.#shares = new PlannerShares(stores, place);
    this.#maxPagesPerJob = maxPagesPerJob;
  }

  /** Tells the other planners what this one wants, when it is time, and takes what it may have. */
  async tell(situation: DemandSituation, isShort: boolean): Promise<void> {
    const { nowMs } = situation;
    const passedMs = nowMs - this.#toldAtMs;
    // The clock of the database may jump back.
    if (passedMs >= 0 && passedMs < (isShort ? TELL_SHORT_MS : TELL_MS)) return;
    // Unless it succeeds, nothing is sent before the next one.
    this.#toldAtMs = Number.NEGATIVE_INFINITY;
    await this.#shares.sync(demandOf(situation, this.#maxPagesPerJob));
    this.#toldAtMs = nowMs;
  }

  /** Returns the delay until the next call of `tell`, at most this long. */
  waitMs(atMost: number, isShort: boolean): number {
    return Math.min(atMost, isShort ? TELL_SHORT_MS : TELL_MS);
  }

  /** Forgets everything: another process may be this planner now. */
  forget(): void {
    this.#shares.forget();
    this.#toldAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Returns the shares within which a plan is made: of slots, of profiles, of jobs and of accounts. */
  limitsOf(jobs: readonly ActiveJob[], engine: Engine, slots: number) {
    const share = this.#shares.slotsOf(engine, slots);
    return {
      lanes: share.lanes,
      profiles: profileLoadsOf(jobs, ({ name }) => this.#shares.lanesOf(name)),
      mostOf: (job: ActiveJob) => this.mostOf(job),
      shareOf: (accountId: string) => share.lanesOf(accountId),
    };
  }

  /** Returns the most lanes of a job that may be in flight here. */
  mostOf(job: Pick<ActiveJob, 'id' | 'crawl' | 'totalUrls'>): number {
    if (this.#shares.quietJobId === job.id) return 0;
    return isLimited(job, this.#maxPagesPerJob) ? this.#shares.lanesOf(job.id) : this.#maxPagesPerJob;
  }

  /** Right of this planner to send suspects. */
  get suspects(): Pick<SuspectSituation, 'isBarred' | 'isAlone'> {
    return {
      isBarred: this.#shares.lanesOf(SUSPECTS) === 0,
      isAlone: (jobId) => this.#shares.isAlone(jobId),
    };
  }
}

/** Returns what a planner has in flight and could have, for the other planners. */
function demandOf(situation: DemandSituation, maxPagesPerJob: number): PlannerDemand {
  const { jobs, mayGo, lanes, suspects } = situation;
  const wants: Record<Engine, Record<string, number>> = { http: {}, browser: {} };
  const limited = new Map<string, Limited>();
  const taken = new Map<string, number>();
  for (const job of jobs) {
    const { id, engine, accountId } = job;
    const ready = mayGo(job)
      ? countReady(job, taken, { ...situation, atMost: maxPagesPerJob - job.lanes })
      : 0;
    const wanted = job.lanes + ready;
    const ofAccount = wants[engine];
    if (wanted > 0) ofAccount[accountId] = (ofAccount[accountId] ?? 0) + wanted;
    const load = { lanes: job.lanes, wanted };
    if (isLimited(job, maxPagesPerJob)) add(limited, id, { limit: maxPagesPerJob, ...load });
    const profile = profileUseOf(job);
    if (profile) add(limited, profile.name, { limit: profile.limit, ...load });
  }
  const suspected = jobs.filter(({ hasSuspects }) => hasSuspects);
  const running = Number(suspects.running.size > 0);
  const isWaiting = suspected.some((job) => job.waiting.some(({ losses }) => losses > 0));
  limited.set(SUSPECTS, { limit: 1, lanes: running, wanted: Math.max(running, Number(isWaiting)) });
  return {
    wants,
    limited,
    lastChance: {
      running: suspects.lastChanceJobId,
      waiting: suspected.filter((job) => hasLastChance(job, situation)).map(({ id }) => id),
    },
    lanesOf: (jobId) => [...lanes].filter((lane) => lane.jobId === jobId).length,
  };
}

/** Returns whether a job may have more pages than may be in flight at once: the planners share what may. */
function isLimited({ crawl, totalUrls }: Pick<ActiveJob, 'crawl' | 'totalUrls'>, maxPages: number): boolean {
  return crawl !== undefined || totalUrls > maxPages;
}

function add(limited: Map<string, Limited>, name: string, { limit, lanes, wanted }: Limited): void {
  const before = limited.get(name) ?? { lanes: 0, wanted: 0 };
  limited.set(name, { limit, lanes: before.lanes + lanes, wanted: before.wanted + wanted });
}

/** Returns the number of lanes that the pages ahead of a job would fill now; notes those of each host, which jobs share. */
function countReady(
  job: ActiveJob,
  taken: Map<string, number>,
  { paces, atMost, nowMs }: Pick<DemandSituation, 'paces' | 'nowMs'> & { readonly atMost: number },
): number {
  const rooms = new Map<string, number>();
  let ready = 0;
  for (const { host, notBeforeMs } of job.waiting) {
    if (ready >= atMost) break;
    if (notBeforeMs > nowMs) continue;
    const room = rooms.get(host) ?? paces.roomOf(host, job, nowMs) - (taken.get(host) ?? 0);
    rooms.set(host, room - 1);
    if (room <= 0) continue;
    taken.set(host, (taken.get(host) ?? 0) + 1);
    ready += 1;
  }
  return ready;
}

function hasLastChance(job: ActiveJob, { paces, nowMs }: DemandSituation): boolean {
  const isOpen = (host: string) => (paces.readyAtMs(host, job) ?? Number.POSITIVE_INFINITY) <= nowMs;
  return job.waiting.some((page) => isLastChance(page) && page.notBeforeMs <= nowMs && isOpen(page.host));
}
