/** Limits on the load of one host. */
export interface PaceRules {
  readonly maxPagesPerHost: number;
  readonly hostDelayMs: number;
  readonly maxPauseMs: number;
}

/** Limits that a crawl sets itself on the load of each host. */
export interface Politeness {
  readonly maxPagesPerHost: number;
  /** Milliseconds between the end of a page and the start of the next one; with a delay, one page is in flight. */
  delayMsOf(host: string): number;
}

/** A job whose pages are paced. */
export interface PacedJob {
  readonly id: string;
  /** Undefined of jobs that are not crawls. */
  readonly politeness?: Politeness | undefined;
}

/** A lane in flight: pages of a job that one scraper fetches one after the other, which count as one at their host. */
export interface Lane {
  readonly jobId: string;
  readonly host: string;
}

interface Pace {
  lanes: number;
  /** Time that a page takes, from sending to its outcome, as the last lanes show; unknown at first. */
  pageMs: number;
  nextStartMs: number;
  pausedUntilMs: number;
}

/** The pages of one crawl on one host. */
interface CrawlPace {
  lanes: number;
  endedAtMs: number;
  /** Most lanes in flight as the host bears them. */
  window: number;
  /** Pages that ended well since the window last changed. */
  successes: number;
  /** Time when the window was last halved. */
  halvedAtMs: number;
}

/** A page that is no longer in flight. */
export interface EndedPage extends Lane {
  /** Time when it was sent. */
  readonly sinceMs: number;
  /** `strained`: the host could not bear it, and answered 429 or 503, or not in time. `unsent`: it was not asked. */
  readonly because: 'ended' | 'strained' | 'unsent';
}

/** A lane that is no longer in flight. */
export interface EndedLane extends Lane {
  readonly sinceMs: number;
  /** Number of its pages that were asked for. */
  readonly fetched: number;
}

/** Pages of a host that a crawl begins with; each of so many successes adds one. */
const FIRST_WINDOW = 2;
const SUCCESSES_PER_STEP = 10;
/** No crawl asks for more. */
const MAX_WINDOW = 32;

/** Aim for the time of a lane: a multiple of the pause between two lanes, and a short wait for a slot. */
const LANE_TARGET_MS = 800;
const MAX_PAGES_PER_LANE = 20;
/** Weight of the last lane in the time that a page takes. */
const LAST_LANE_WEIGHT = 0.5;

/** Time for which the last page of a crawl on a host is remembered, longer than any delay. */
const REMEMBER_MS = 120_000;

/** Tracks when each host may be asked for another page. */
export class HostPaces {
  readonly #rules: PaceRules;
  readonly #paces = new Map<string, Pace>();
  readonly #crawlPaces = new Map<string, CrawlPace>();
  /** Hosts with a pause that may be over: few, while there may be very many hosts. */
  readonly #paused = new Set<string>();
  /** Time before which it is unknown when pages of crawls ended. */
  #knownSinceMs = 0;

  constructor(rules: PaceRules) {
    this.#rules = rules;
  }

  /** Notes that another process may have dispatched pages until now. */
  restart(nowMs: number): void {
    this.#crawlPaces.clear();
    this.#knownSinceMs = nowMs;
  }

  /** Returns when the job may ask the host next, in milliseconds since 1970; undefined while its pages in flight are at their limit. */
  readyAtMs(host: string, job: PacedJob): number | undefined {
    const byCrawl = job.politeness ? this.#crawlReadyAtMs(host, job.id, job.politeness) : 0;
    const pace = this.#paces.get(host);
    if (!pace || byCrawl === undefined) return byCrawl;
    if (pace.lanes >= this.#rules.maxPagesPerHost) return undefined;
    return Math.max(byCrawl, pace.nextStartMs, pace.pausedUntilMs);
  }

  /** Returns the number of lanes of the host that the job may start now. */
  roomOf(host: string, job: PacedJob, nowMs: number): number {
    const readyAtMs = this.readyAtMs(host, job);
    if (readyAtMs === undefined || readyAtMs > nowMs) return 0;
    if (this.#rules.hostDelayMs > 0) return 1;
    const room = this.#rules.maxPagesPerHost - (this.#paces.get(host)?.lanes ?? 0);
    if (!job.politeness) return room;
    const lanes = this.#crawlPaces.get(keyOf(job.id, host))?.lanes ?? 0;
    return Math.min(room, this.#mostAtOnce(job.id, job.politeness, host) - lanes);
  }

  /** Returns the most pages of the host that a lane of the job may have; a delay is kept here, between lanes. */
  laneLengthOf(host: string, { politeness }: PacedJob): number {
    const { pageMs = Number.POSITIVE_INFINITY } = this.#paces.get(host) ?? {};
    if (this.#rules.hostDelayMs > 0 || (politeness && politeness.delayMsOf(host) > 0)) return 1;
    return Math.max(1, Math.min(MAX_PAGES_PER_LANE, Math.floor(LANE_TARGET_MS / pageMs)));
  }

  /** Notes that a lane of the host is dispatched now. */
  start(host: string, job: PacedJob, nowMs: number): void {
    const pace = this.#paceOf(host);
    pace.lanes += 1;
    pace.nextStartMs = nowMs + this.#rules.hostDelayMs;
    if (job.politeness) this.#crawlPaceOf(job.id, host).lanes += 1;
  }

  /** Sets the lanes in flight; forgets idle hosts. */
  recount(lanes: Iterable<Lane>, nowMs: number): void {
    for (const pace of this.#paces.values()) pace.lanes = 0;
    for (const pace of this.#crawlPaces.values()) pace.lanes = 0;
    for (const { jobId, host } of lanes) {
      this.#paceOf(host).lanes += 1;
      this.#crawlPaceOf(jobId, host).lanes += 1;
    }
    for (const [host, pace] of this.#paces) {
      if (pace.lanes === 0 && this.#isIdle(pace, nowMs)) this.#paces.delete(host);
    }
    for (const host of this.#paused) {
      if ((this.#paces.get(host)?.pausedUntilMs ?? 0) <= nowMs) this.#paused.delete(host);
    }
    for (const [key, { lanes: inFlight, endedAtMs }] of this.#crawlPaces) {
      if (inFlight === 0 && endedAtMs + REMEMBER_MS < nowMs) this.#crawlPaces.delete(key);
    }
  }

  /** Notes that a page of the host is no longer in flight. */
  endPage({ jobId, host, sinceMs, because }: EndedPage, nowMs: number): void {
    const crawlPace = this.#crawlPaces.get(keyOf(jobId, host));
    if (!crawlPace) return;
    if (because === 'strained') narrow(crawlPace, sinceMs, nowMs);
    if (because === 'ended') widen(crawlPace);
  }

  /** Notes that a lane of the host is no longer in flight. */
  endLane({ jobId, host, sinceMs, fetched }: EndedLane, nowMs: number): void {
    const pace = this.#paces.get(host);
    if (pace) pace.lanes = Math.max(0, pace.lanes - 1);
    if (pace && fetched > 0) {
      const pageMs = (nowMs - sinceMs) / fetched;
      const before = Number.isFinite(pace.pageMs) ? pace.pageMs : pageMs;
      pace.pageMs = before + LAST_LANE_WEIGHT * (pageMs - before);
    }
    const crawlPace = this.#crawlPaces.get(keyOf(jobId, host));
    if (!crawlPace) return;
    crawlPace.lanes = Math.max(0, crawlPace.lanes - 1);
    crawlPace.endedAtMs = nowMs;
  }

  /** Pauses the host until then, at most as long as the rules allow. */
  pause(host: string, untilMs: number, nowMs: number): void {
    const pace = this.#paceOf(host);
    pace.pausedUntilMs = Math.max(pace.pausedUntilMs, Math.min(untilMs, nowMs + this.#rules.maxPauseMs));
    this.#paused.add(host);
  }

  /** Returns the hosts whose pause lasts beyond this moment. */
  pausedHosts(nowMs: number): string[] {
    return this.pauses(nowMs).map(({ host }) => host);
  }

  /** Returns the paused hosts and the end of each pause, the longest pauses first. */
  pauses(nowMs: number): { host: string; untilMs: number }[] {
    return [...this.#paused]
      .map((host) => ({ host, untilMs: this.#paces.get(host)?.pausedUntilMs ?? 0 }))
      .filter(({ untilMs }) => untilMs > nowMs)
      .sort((a, b) => b.untilMs - a.untilMs);
  }

  #crawlReadyAtMs(host: string, jobId: string, politeness: Politeness): number | undefined {
    const delayMs = politeness.delayMsOf(host);
    const pace = this.#crawlPaces.get(keyOf(jobId, host));
    if (pace && pace.lanes >= this.#mostAtOnce(jobId, politeness, host)) return undefined;
    return delayMs === 0 ? 0 : (pace?.endedAtMs ?? this.#knownSinceMs) + delayMs;
  }

  /** Returns the most lanes of a crawl that are in flight on a host: what the crawl asks for, as far as the host bears it. */
  #mostAtOnce(jobId: string, politeness: Politeness, host: string): number {
    if (politeness.delayMsOf(host) > 0) return 1;
    const window = this.#crawlPaces.get(keyOf(jobId, host))?.window ?? FIRST_WINDOW;
    return Math.min(window, politeness.maxPagesPerHost);
  }

  #isIdle({ nextStartMs, pausedUntilMs }: Pace, nowMs: number): boolean {
    return nextStartMs <= nowMs && pausedUntilMs <= nowMs;
  }

  #paceOf(host: string): Pace {
    const known = this.#paces.get(host);
    if (known) return known;
    const fresh = { lanes: 0, pageMs: Number.POSITIVE_INFINITY, nextStartMs: 0, pausedUntilMs: 0 };
    this.#paces.set(host, fresh);
    return fresh;
  }

  #crawlPaceOf(jobId: string, host: string): CrawlPace {
    const key = keyOf(jobId, host);
    const known = this.#crawlPaces.get(key);
    if (known) return known;
    const fresh = {
      lanes: 0,
      endedAtMs: this.#knownSinceMs,
      window: FIRST_WINDOW,
      successes: 0,
      halvedAtMs: 0,
    };
    this.#crawlPaces.set(key, fresh);
    return fresh;
  }
}

function widen(pace: CrawlPace): void {
  pace.successes += 1;
  if (pace.successes < SUCCESSES_PER_STEP) return;
  pace.successes = 0;
  pace.window = Math.min(MAX_WINDOW, pace.window + 1);
}

/** Halves the window; pages that were sent before it was last halved say nothing new. */
function narrow(pace: CrawlPace, sinceMs: number, nowMs: number): void {
  pace.successes = 0;
  if (sinceMs < pace.halvedAtMs) return;
  pace.window = Math.max(1, Math.floor(pace.window / 2));
  pace.halvedAtMs = nowMs;
}

function keyOf(jobId: string, host: string): string {
  return `${jobId} ${host}`;
}
