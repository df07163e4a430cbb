import { once } from 'node:events';
import { type DispatchHint, type Engine, jobIdOf } from '@gleaner/contracts';
import type { Counter } from '@gleaner/service-kit';
import { type HostShare, hasHost } from '@gleaner/storage';
import { RobotsGate } from '../crawl/robots-gate.ts';
import type { Finisher, SpentJob } from '../finish/finisher.ts';
import type { PlannerPlace } from '../shares/planner-shares.ts';
import type { ActiveJob } from './active-job.ts';
import { ActiveJobs } from './active-jobs.ts';
import { ActiveProfiles, profileLoadsOf } from './active-profiles.ts';
import { HostPaces, type PaceRules } from './host-pace.ts';
import { InFlight } from './in-flight.ts';
import type { LeaseHolder } from './lease-holder.ts';
import { isLastChance, planDispatch, type SuspectSituation } from './plan-dispatch.ts';
import { type SendDeps, sendPages } from './send-pages.ts';
import { SharedLanes } from './shared-lanes.ts';
import { Turns } from './turns.ts';

/** Collaborators and settings of a dispatcher. */
export interface DispatcherDeps extends SendDeps {
  /** The lease under which pages are dispatched. */
  readonly lease: Pick<LeaseHolder, 'isHeld' | 'renew' | 'release'>;
  readonly leaseMs: number;
  /** Place among several planners; a single one has none, and dispatches the pages of all hosts. */
  readonly place?: PlannerPlace | undefined;
  readonly pace: PaceRules;
  readonly pagesPerScraper: Readonly<Record<Engine, number>>;
  readonly maxPagesPerJob: number;
  readonly metrics: { readonly dispatched: Counter };
  readonly noteWork?: (name: string) => void;
  readonly finisher: Pick<Finisher, 'add' | 'stopSpent'>;
  readonly retentionMs: number;
}

/** Values of a dispatcher's gauges. */
export interface DispatchState {
  /** Number of planners that this process runs of all of them, from 0 to 1. */
  readonly planners: number;
  readonly activeJobs: number;
  readonly runningPages: number;
  readonly pausedHosts: number;
}

/** Jobs of a dispatcher, with their pages in flight and the paused hosts. */
export interface DispatchLoad {
  /** Oldest first. */
  readonly jobs: readonly LoadedJob[];
  readonly lanes: readonly { readonly host: string }[];
  readonly pausedHosts: readonly string[];
  /** Hosts of one of several planners, and the most lanes of a job that it may have. */
  readonly shared?: { readonly hosts: HostShare; mostOf(job: LoadedJob): number } | undefined;
}

type LoadedJob = Pick<ActiveJob, 'id' | 'engine' | 'totalUrls' | 'lanes' | 'crawl'>;

const REFRESH_MS = 1000;
/** Interval without active jobs, for the pages in flight as well: hints tell of new ones, and are seldom lost. */
const IDLE_REFRESH_MS = 4000;
const RECOUNT_MS = 3000;
/** Pause after lanes were sent, so that freed slots are filled together; new work does not wait for it. */
const PACE_MS = 50;
/** Longer pause while lanes end quickly. It is over when half of those in flight have ended, so that scrapers always have some. */
const FAST_PACE_MS = 120;
/** Number of lanes that end quickly if they do so within the pause. */
const QUICKLY_ENDED = 4;
/** Suspects of one account in flight for each scraper: when one kills its worker, the others there count a loss as well. */
const SUSPECTS_PER_SCRAPER = 6;
/** Largest number of pages that are claimed and sent together. */
const MAX_BATCH = 100;
const ENGINES: readonly Engine[] = ['http', 'browser'];
/** Pause of a job whose bounds seem to be reached, until it is asked again. */
const SPENT_PAUSE_MS = 300;

/**
 * Keeps the right pages in flight. One process at a time does so, by a lease, so that windows and paces are exact. With
 * several planners each has a dispatcher, for its hosts and within its shares of each limit.
 * Its state can be rebuilt from the database at any moment, and is corrected from it every few seconds.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #lease: DispatcherDeps['lease'];
  /** Only of one of several planners. */
  readonly #shared: SharedLanes | undefined;
  readonly #jobs: ActiveJobs;
  readonly #paces: HostPaces;
  readonly #profiles: ActiveProfiles;
  readonly #turns = new Turns();
  readonly #inFlight: InFlight;
  readonly #stopping = new AbortController();
  readonly #wake = new EventTarget();
  /** Slots of each engine as they were last counted; a lane takes one. */
  readonly #slots: Record<Engine, number> = { http: MAX_BATCH, browser: MAX_BATCH };
  #isWoken = false;
  /** Lanes in flight when some were sent last. */
  #sentCount = 0;
  #hasGrown = false;
  /** The last run sent all it may, and left pages that could go out as well: the next one follows at once. */
  #isFull = false;
  #wasLastChance = false;
  /** The last run left a job waiting of which this planner may have no lane at all. */
  #isShort = false;
  #needsRefresh = true;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #recountedAtMs = Number.NEGATIVE_INFINITY;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | undefined;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { lease, place, stores } = deps;
    this.#lease = lease;
    this.#shared = place && new SharedLanes(stores, place, deps.maxPagesPerJob);
    this.#jobs = new ActiveJobs(stores, new RobotsGate(deps), this.#shared?.hosts);
    this.#profiles = new ActiveProfiles(deps.stores);
    this.#paces = new HostPaces(deps.pace);
    this.#inFlight = new InFlight({ jobs: this.#jobs, paces: this.#paces });
  }

  /** The values of the gauges. */
  get state(): DispatchState {
    return {
      planners: Number(this.#lease.isHeld),
      activeJobs: this.#jobs.size,
      runningPages: this.#inFlight.pages,
      pausedHosts: this.#paces.pausedHosts(this.#deps.stores.clock.nowMs()).length,
    };
  }

  /** The load as this dispatcher knows it. */
  get load(): DispatchLoad {
    return {
      jobs: this.#jobs.all(),
      lanes: [...this.#inFlight.lanes],
      pausedHosts: this.#paces.pausedHosts(this.#deps.stores.clock.nowMs()),
      shared: this.#shared,
    };
  }

  /** Returns the paused hosts with the ends of their pauses, the longest first; none while another process dispatches. */
  get pauses(): { readonly host: string; readonly untilMs: number }[] {
    return this.#lease.isHeld ? this.#paces.pauses(this.#deps.stores.clock.nowMs()) : [];
  }

  /** True while this process has the lease. */
  get isDispatching(): boolean {
    return this.#lease.isHeld;
  }

  /** Returns whether this dispatcher sends pages of the job. */
  knows(jobId: string): boolean {
    return this.#jobs.find(jobId) !== undefined;
  }

  /** Returns whether the pages that this dispatcher has sent of a job have ended, and it knows of no others to send. */
  isDrained(jobId: string): boolean {
    const job = this.#jobs.find(jobId);
    return job !== undefined && job.lanes === 0 && job.waiting.length === 0;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Notes changes of pages and hosts; hints may be lost, doubled or late. */
  hint({
    hasNewWork = false,
    endedPageIds = [],
    strainedPageIds = [],
    unstartedPageIds = [],
    grownJobIds = [],
    slowHosts = [],
  }: Partial<DispatchHint>): void {
    const nowMs = this.#deps.stores.clock.nowMs();
    for (const { host, untilMs } of slowHosts)
      if (hasHost(this.#shared?.hosts, host)) this.#paces.pause(host, untilMs, nowMs);
    let released = 0;
    const release = (id: string, because: 'strained' | 'unsent' | 'ended') => {
      if (this.#inFlight.release(id, because, nowMs)) released += 1;
    };
    for (const id of strainedPageIds) release(id, 'strained');
    for (const id of unstartedPageIds) release(id, 'unsent');
    for (const id of endedPageIds) release(id, 'ended');
    for (const id of grownJobIds) this.#jobs.expectMore(id);
    // The pages of other planners.
    if (this.#shared && released === 0 && !hasNewWork && grownJobIds.length === 0) return;
    if (hasNewWork) {
      this.#needsRefresh = true;
      for (const id of endedPageIds) this.#jobs.expectMore(jobIdOf(id));
    }
    this.#isWoken = true;
    this.#hasGrown ||= grownJobIds.length > 0;
    this.#wake.dispatchEvent(new Event('wake'));
    if (this.#hasRoom) this.#wake.dispatchEvent(new Event('room'));
    if (hasNewWork) this.#wake.dispatchEvent(new Event('new work'));
  }

  /** Stops dispatching, and lets another orchestrator take over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#lease.release().catch((err: unknown) => {
      this.#deps.logger.warn({ err }, 'The lease of the dispatcher was not released; it expires by itself.');
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isWoken = false;
      this.#hasGrown = false;
      this.#isFull = false;
      const waitMs = await this.#runOnce().catch((err: unknown) => {
        this.#deps.logger.warn({ err }, 'Dispatching was interrupted; it continues in a moment.');
        this.#recountedAtMs = Number.NEGATIVE_INFINITY;
        return REFRESH_MS;
      });
      this.#noteWork();
      await this.#gatherRoom(waitMs);
      if (!this.#isWoken) await this.#waitFor('wake', waitMs);
    }
  }

  /** Notes the work for the metric of long turns, unless there is nothing to dispatch. */
  #noteWork(): void {
    if (this.#jobs.size > 0) this.#deps.noteWork?.('dispatch');
  }

  /** Waits until enough slots are free to be worth the next run, or the time has come at which a page may go out. */
  async #gatherRoom(waitMs: number): Promise<void> {
    const leftOf = (paceMs: number) => this.#sentAtMs + paceMs - performance.now();
    const pauseMs = this.#isFull ? 0 : leftOf(PACE_MS);
    if (pauseMs > 0 && !this.#needsRefresh) await this.#waitFor('new work', pauseMs);
    const fastPauseMs = Math.min(waitMs, leftOf(FAST_PACE_MS));
    const isFast = this.#sentCount - this.#inFlight.lanes.size >= QUICKLY_ENDED;
    if (isFast && fastPauseMs > 0 && !this.#hasRoom) await this.#waitFor('room', fastPauseMs);
  }

  /** Waits for a hint, at most this long. */
  async #waitFor(event: 'wake' | 'room' | 'new work', forMs: number): Promise<void> {
    const expiry = AbortSignal.timeout(Math.max(1, Math.ceil(forMs)));
    const signal = AbortSignal.any([this.#stopping.signal, expiry]);
    await once(this.#wake, event, { signal }).catch(() => {});
  }

  /** Dispatches what can be dispatched now; returns the delay in milliseconds until the next run. */
  async #runOnce(): Promise<number> {
    const wasHeld = this.#lease.isHeld;
    const isHeld = await this.#lease.renew();
    // Others may have dispatched while the lease was not held, and pages in flight may have ended.
    if (!wasHeld || !isHeld) this.#forget();
    if (!isHeld) return this.#deps.leaseMs / 3;
    if (!wasHeld) {
      this.#deps.logger.info({ ...this.#deps.place }, 'This orchestrator dispatches from now on.');
      this.#paces.restart(this.#deps.stores.clock.nowMs());
    }
    this.#noteWork();
    await this.#refresh();
    if (this.#shared && this.#lease.isHeld) await this.#tell(this.#shared);
    let waitMs = this.#jobs.size > 0 ? REFRESH_MS : Math.min(IDLE_REFRESH_MS, this.#deps.leaseMs / 3);
    this.#isShort = false;
    for (const engine of ENGINES) waitMs = Math.min(waitMs, await this.#dispatch(engine));
    return this.#shared?.waitMs(waitMs, this.#isShort) ?? waitMs;
  }

  /** Tells the other planners what this one wants. */
  async #tell(shared: SharedLanes): Promise<void> {
    const situation = {
      jobs: this.#jobs.all(),
      paces: this.#paces,
      mayGo: (job: ActiveJob) => this.#profiles.mayGo(job),
      lanes: this.#inFlight.lanes,
      suspects: this.#inFlight.suspects,
      nowMs: this.#deps.stores.clock.nowMs(),
    };
    await shared.tell(situation, this.#isShort);
  }

  get #hasRoom(): boolean {
    return this.#needsRefresh || this.#hasGrown || this.#inFlight.lanes.size <= this.#sentCount / 2;
  }

  async #refresh(): Promise<void> {
    const nowMs = performance.now();
    const isIdle = this.#jobs.size === 0;
    const isDue = nowMs - this.#refreshedAtMs >= (isIdle ? IDLE_REFRESH_MS : REFRESH_MS);
    if (isDue || this.#needsRefresh) {
      this.#needsRefresh = false;
      this.#refreshedAtMs = nowMs;
      await this.#jobs.refresh();
      await this.#refreshProfiles();
    }
    if (nowMs - this.#recountedAtMs >= (isIdle ? IDLE_REFRESH_MS : RECOUNT_MS)) {
      this.#recountedAtMs = nowMs;
      // Hints may have been lost.
      const running = await this.#deps.stores.pages.findRunning(this.#shared?.hosts);
      this.#inFlight.recount(running, this.#deps.stores.clock.nowMs());
      this.#jobs.expectMore();
    }
    const { maxPagesPerJob } = this.#deps;
    const onEnded = (job: ActiveJob) => this.#deps.finisher.add(job);
    await this.#jobs.fill({ paces: this.#paces, freeSlots: this.#freeSlots(), maxPagesPerJob, onEnded });
  }

  /** Reads the profiles of jobs; ends the jobs whose profile nothing will sign in. */
  async #refreshProfiles(): Promise<void> {
    for (const { jobId, failure } of await this.#profiles.refresh(this.#jobs.all())) {
      await this.#deps.stores.jobs.failRest(jobId, failure);
      const job = this.#jobs.find(jobId);
      if (!job) continue;
      job.waiting = [];
      this.#deps.finisher.add(job);
    }
  }

  async #dispatch(engine: Engine): Promise<number> {
    const jobs = this.#jobs.all().filter((job) => job.engine === engine);
    if (!jobs.some(({ waiting }) => waiting.length > 0)) return Number.POSITIVE_INFINITY;
    const { broker, pagesPerScraper, maxPagesPerJob, metrics } = this.#deps;
    const scrapers = await broker.consumerCount(`pages.${engine}`).catch(() => 0);
    this.#slots[engine] = scrapers * pagesPerScraper[engine];
    const nowMs = this.#deps.stores.clock.nowMs();
    const { lanes, dry, isFull, isShort, wakeAtMs } = planDispatch({
      jobs: jobs.filter((job) => this.#profiles.mayGo(job)),
      ...this.#limitsOf(engine),
      paces: this.#paces,
      maxPages: MAX_BATCH,
      maxPagesPerJob,
      suspects: this.#suspects(scrapers),
      turns: this.#turns,
      nowMs,
    });
    this.#jobs.noteDry(dry);
    this.#isShort ||= isShort;
    if (lanes.length > 0 && this.#lease.isHeld) {
      const picks = this.#inFlight.start(lanes, nowMs);
      const suspect = picks.findLast(({ page }) => page.losses > 0);
      if (suspect) this.#wasLastChance = isLastChance(suspect.page);
      this.#sentAtMs = performance.now();
      this.#sentCount = this.#inFlight.lanes.size;
      const { sent: out, spent } = await sendPages(picks, engine, this.#deps);
      this.#stopSpent(spent);
      this.#isFull ||= isFull && out.length === picks.length;
      const outIds = new Set(out.map(({ page }) => page.id));
      for (const { page } of picks)
        if (!outIds.has(page.id)) this.#inFlight.release(page.id, 'unsent', nowMs);
      metrics.dispatched.inc(out.length);
      if (isFull || dry.some(({ hasMore }) => hasMore)) return 0;
    }
    return wakeAtMs === undefined ? REFRESH_MS : Math.max(0, wakeAtMs - nowMs);
  }

  /** Stops jobs that may start nothing more; reads no pages of them for a moment. */
  #stopSpent(all: readonly SpentJob[]): void {
    for (const spent of all) {
      const job = this.#jobs.find(spent.jobId);
      if (!job) continue;
      job.waiting = job.waiting.filter(({ attempt }) => attempt > 0);
      job.pausedUntilMs = this.#deps.stores.clock.nowMs() + SPENT_PAUSE_MS;
      job.hasMore = true;
      this.#deps.finisher.stopSpent(spent, job);
    }
  }

  #lanesOf(engine: Engine): number {
    const jobs = this.#jobs.all().filter((job) => job.engine === engine);
    return jobs.reduce((sum, job) => sum + job.lanes, 0);
  }

  #freeSlots(): Record<Engine, number> {
    const freeOf = (engine: Engine) => this.#slots[engine] - this.#lanesOf(engine);
    return { http: freeOf('http'), browser: freeOf('browser') };
  }

  /** Returns the lanes that may be added now, in all and by job. */
  #limitsOf(engine: Engine) {
    const jobs = this.#jobs.all();
    const slots = this.#slots[engine];
    const lanes = this.#lanesOf(engine);
    if (!this.#shared) return { profiles: profileLoadsOf(jobs), room: slots - lanes };
    const limits = this.#shared.limitsOf(jobs, engine, slots);
    return { ...limits, room: limits.lanes - lanes };
  }

  #suspects(scrapers: number): SuspectSituation {
    return {
      ...this.#inFlight.suspects,
      ...this.#shared?.suspects,
      limitPerAccount: Math.max(1, scrapers) * SUSPECTS_PER_SCRAPER,
      wasLastChance: this.#wasLastChance,
    };
  }

  #forget(): void {
    this.#jobs.clear();
    this.#inFlight.clear();
    this.#shared?.forget();
    this.#recountedAtMs = Number.NEGATIVE_INFINITY;
    this.#needsRefresh = true;
  }
}
