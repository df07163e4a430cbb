import type { Engine } from '@gleaner/contracts';
import type { HostShare, StoredPage, Stores } from '@gleaner/storage';
import type { RobotsGate } from '../crawl/robots-gate.ts';
import { type ActiveJob, activate, toWaiting } from './active-job.ts';
import type { HostPaces } from './host-pace.ts';
import { inTurns, readTurns } from './read-turns.ts';

/** Hosts open for pages, and their free slots. */
export interface FillSituation {
  readonly paces: Pick<HostPaces, 'pausedHosts' | 'roomOf'>;
  readonly freeSlots: Readonly<Record<Engine, number>>;
  readonly maxPagesPerJob: number;
  /** Called with a crawl some of whose pages have ended because robots.txt disallows them. */
  readonly onEnded: (job: ActiveJob) => void;
}

const MAX_JOBS = 2000;
const MAX_JOBS_PER_ACCOUNT = 500;
/** Jobs up to this size are small: all of their pages are read at once. */
const MAX_SMALL_JOB = 200;
const LOW_WATER = 60;
/** Pages of a large job that can be sent and are read even while no slot is free. */
const SPARE = 8;
/** Pages of all large jobs that are enough for the next rounds: fewer of each if there are many jobs. */
const ENOUGH_OF_ALL = 200;
/** Pages of a large job that are read ahead: fewer if there are many such jobs. */
const AHEAD = { perJob: 1500, ofAllJobs: 60_000, least: 60 };
/** Pages of small jobs that one query reads. */
const PAGES_PER_QUERY = 2000;
const QUERIES_AT_ONCE = 8;
/** Pages that become due within this time are read already. */
const SOON_MS = 1500;

/** The jobs that have pages to dispatch, each with its next few pages. */
export class ActiveJobs {
  readonly #stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'health'>;
  readonly #gate: RobotsGate;
  readonly #share: HostShare | undefined;
  readonly #jobs = new Map<string, ActiveJob>();

  /** Reads only pages of the hosts of the share, if there is one. */
  constructor(
    stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'health'>,
    gate: RobotsGate,
    share?: HostShare,
  ) {
    this.#stores = stores;
    this.#gate = gate;
    this.#share = share;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** Oldest first. */
  all(): ActiveJob[] {
    return [...this.#jobs.values()];
  }

  find(jobId: string): ActiveJob | undefined {
    return this.#jobs.get(jobId);
  }

  clear(): void {
    this.#jobs.clear();
  }

  /** Adds new jobs and removes finished ones; one account's jobs never keep out those of another. */
  async refresh(): Promise<void> {
    const ids = shareOut(await this.#stores.jobs.findActiveIds(MAX_JOBS_PER_ACCOUNT));
    for (const id of this.#jobs.keys()) if (!ids.has(id)) this.#jobs.delete(id);
    const newIds = [...ids].filter((id) => !this.#jobs.has(id));
    if (newIds.length === 0) return;
    const stored = await this.#stores.jobs.findJobs(newIds);
    const evidence = await this.#stores.health.findEvidenceUrls(
      stored.flatMap(({ scheduleId }) => scheduleId ?? []),
    );
    for (const job of stored.sort((a, b) => (a.id < b.id ? -1 : 1)))
      this.#jobs.set(job.id, activate(job, this.#gate, evidence.get(job.scheduleId ?? '')));
  }

  /** Reads the next pages of the jobs that run short of them: small jobs together, large ones with their hosts in turns. */
  async fill(situation: FillSituation): Promise<void> {
    const nowMs = this.#stores.clock.nowMs();
    const short = this.all().filter(({ hasMore, pausedUntilMs }) => hasMore && pausedUntilMs <= nowMs);
    const isLarge = ({ totalUrls, crawl }: ActiveJob) => crawl !== undefined || totalUrls > MAX_SMALL_JOB;
    const large = Math.max(1, this.all().filter(isLarge).length);
    const share = Math.floor(AHEAD.ofAllJobs / large);
    const maxAhead = Math.max(AHEAD.least, Math.min(AHEAD.perJob, share));
    const enough = Math.max(SPARE, Math.min(LOW_WATER, Math.ceil(ENOUGH_OF_ALL / large)));
    const small = short.filter((job) => !isLarge(job) && job.waiting.length < LOW_WATER);
    const pausedHosts = situation.paces.pausedHosts(this.#stores.clock.nowMs() + SOON_MS);
    const reads = [
      ...groupForQueries(small).map((jobs) => () => this.#fillSmall(jobs, pausedHosts)),
      ...short
        .filter((job) => isLarge(job) && Math.min(job.readyAhead, job.waiting.length) < enough)
        .map((job) => () => this.#fillLarge(job, { maxAhead, enough }, situation)),
    ];
    for (let start = 0; start < reads.length; start += QUERIES_AT_ONCE) {
      await Promise.all(reads.slice(start, start + QUERIES_AT_ONCE).map((read) => read()));
    }
  }

  /** Marks a job, or every job, as possibly having unread waiting pages. */
  expectMore(jobId?: string): void {
    for (const job of jobId === undefined ? this.#jobs.values() : [this.#jobs.get(jobId)]) {
      if (job) job.hasMore = true;
    }
  }

  /** Notes that none of the pages ahead of these jobs may go out now: others are read. */
  noteDry(jobs: readonly ActiveJob[]): void {
    for (const job of jobs) job.readyAhead = 0;
  }

  /** Notes that pages of a host were sent or have ended: if none of them is left ahead, the host may have more. */
  noteHost(jobId: string, host: string): void {
    const job = this.#jobs.get(jobId);
    if (job && !job.hasMore && !job.waiting.some((page) => page.host === host)) job.hasMore = true;
  }

  async #fillLarge(
    job: ActiveJob,
    { maxAhead, enough }: { readonly maxAhead: number; readonly enough: number },
    { paces, freeSlots, maxPagesPerJob, onEnded }: FillSituation,
  ): Promise<void> {
    const nowMs = this.#stores.clock.nowMs();
    const slots = Math.max(SPARE, freeSlots[job.engine]);
    const room = maxPagesPerJob - job.lanes;
    const ready = Math.min(job.readyAhead, job.waiting.length);
    if (room <= 0 || ready >= Math.min(enough, slots, room)) return;
    // More than are missing, so that the next reading is rare.
    const wanted = Math.min(LOW_WATER, Math.max(slots, 4 * Math.min(enough, slots)), room);
    job.hasMore = false;
    const read = await readTurns(job, {
      pages: this.#stores.pages,
      paces,
      nowMs,
      wanted,
      maxAhead,
      toPage: toWaiting,
      admit: (pages) => this.#admit(job, pages, onEnded),
      dueBy: new Date(nowMs + SOON_MS),
      share: this.#share,
    });
    job.waiting = read.waiting;
    job.afterHost = read.afterHost;
    job.readyAhead = read.ready;
    job.hasSuspects = read.waiting.some(({ losses }) => losses > 0);
    job.hasMore ||= read.hasMore;
    if (!job.crawl?.hasRequested) return;
    job.crawl.hasRequested = false;
    job.readyAhead = 0;
    await this.#fillLarge(job, { maxAhead, enough }, { paces, freeSlots, maxPagesPerJob, onEnded });
  }

  /** Leaves out pages of crawls if robots.txt disallows them or is not known yet. */
  async #admit(
    job: ActiveJob,
    pages: readonly StoredPage[],
    onEnded: FillSituation['onEnded'],
  ): Promise<readonly StoredPage[]> {
    const { id, crawl } = job;
    if (!crawl) return pages;
    const answer = await this.#gate.check(
      { id, obeysRobots: crawl.terms.robots === 'obey', createdAtMs: crawl.createdAtMs },
      pages,
    );
    if (answer.hasEnded) onEnded(job);
    if (answer.hasRequested) crawl.hasRequested = true;
    return answer.pages;
  }

  async #fillSmall(jobs: readonly ActiveJob[], exceptHosts: readonly string[]): Promise<void> {
    const limit = PAGES_PER_QUERY;
    const dueBy = new Date(this.#stores.clock.nowMs() + SOON_MS);
    for (const job of jobs) job.hasMore = false;
    const pages = await this.#stores.pages.findWaiting(
      jobs.map(({ id }) => id),
      { limit, dueBy, exceptHosts, share: this.#share },
    );
    const byJob = Map.groupBy(pages, ({ jobId }) => jobId);
    for (const job of jobs) {
      job.waiting = inTurns((byJob.get(job.id) ?? []).map(toWaiting));
      job.hasSuspects = job.waiting.some(({ losses }) => losses > 0);
      job.hasMore ||= pages.length === limit;
    }
  }
}

/** Returns the ids of the jobs to dispatch: the oldest of every account first, then the second oldest of each, and so on. */
function shareOut(idsByAccount: readonly (readonly string[])[]): Set<string> {
  const chosen = new Set<string>();
  for (let rank = 0; rank < MAX_JOBS_PER_ACCOUNT; rank++) {
    const ids = idsByAccount.flatMap((ids) => ids[rank] ?? []);
    if (ids.length === 0) break;
    for (const id of ids) if (chosen.size < MAX_JOBS) chosen.add(id);
  }
  return chosen;
}

/** Groups jobs so that the waiting pages of each group fit into one query, whichever of them wait. */
function groupForQueries(jobs: readonly ActiveJob[]): ActiveJob[][] {
  const groups: ActiveJob[][] = [];
  let current: ActiveJob[] = [];
  let pages = 0;
  for (const job of jobs) {
    if (pages + job.totalUrls >= PAGES_PER_QUERY) {
      groups.push(current);
      current = [];
      pages = 0;
    }
    current.push(job);
    pages += job.totalUrls;
  }
  if (current.length > 0) groups.push(current);
  return groups;
}
