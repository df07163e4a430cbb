import { MAX_LOSSES } from '../collect/decide-page-end.ts';
import type { ProfileLoad } from './active-profiles.ts';
import type { Candidate, CandidateJob } from './candidate.ts';
import { FairOrder, type Queue } from './fair-order.ts';
import type { HostPaces, PacedJob } from './host-pace.ts';
import type { Turns } from './turns.ts';

/** Suspects in flight, over all jobs: pages that have lost a worker and may be what killed it. */
export interface SuspectSituation {
  /** Their number, by account. */
  readonly running: ReadonlyMap<string, number>;
  /** The job that has a page on its last chance in flight. */
  readonly lastChanceJobId: string | undefined;
  /** Number of suspects that one account may have in flight. */
  readonly limitPerAccount: number;
  /** The suspects that were dispatched last were one on its last chance: others come first now. */
  readonly wasLastChance: boolean;
  /** Another planner sends suspects now; only where there are several. */
  readonly isBarred?: boolean;
  /** Returns whether no other planner has a page of the job in flight; only where there are several. */
  readonly isAlone?: (jobId: string) => boolean;
}

/** Input of one plan. */
export interface DispatchSituation<Job extends CandidateJob> {
  /** Oldest first. */
  readonly jobs: readonly Job[];
  readonly paces: Pick<HostPaces, 'readyAtMs' | 'roomOf' | 'laneLengthOf' | 'start'>;
  /** Number of further lanes that may be in flight in all. */
  readonly room: number;
  /** Number of pages that one plan may have. */
  readonly maxPages: number;
  readonly maxPagesPerJob: number;
  /** Shares of this planner, only where there are several: the lanes of a job, and of an account. */
  mostOf?(job: Job): number;
  readonly shareOf?: (accountId: string) => number;
  readonly suspects: SuspectSituation;
  /** Pages of profiles in flight, by the ids of the jobs that use them; counts those that are planned. */
  readonly profiles?: ReadonlyMap<string, ProfileLoad>;
  readonly turns: Turns;
  readonly nowMs: number;
}

/** Pages of one job and one host that a scraper fetches one after the other. */
export interface PlannedLane<Job extends CandidateJob> {
  readonly job: Job;
  readonly pages: readonly [Job['waiting'][number], ...Job['waiting'][number][]];
}

/** The lanes to dispatch now, and when to look again if nothing else happens. */
export interface DispatchPlan<Job extends CandidateJob> {
  readonly lanes: readonly PlannedLane<Job>[];
  /** True if more could have been sent. */
  readonly isFull: boolean;
  readonly wakeAtMs: number | undefined;
  /** This planner may have no lane at all of a job. */
  readonly isShort: boolean;
  /** Jobs that none of their pages ahead may go out of now. */
  readonly dry: readonly Job[];
}

/**
 * Chooses lanes one by one in the fair order of jobs: so a job of one page waits for one slot beside any other work. Hosts
 * are asked as their paces allow. A lane takes further pages of its host, as many as take the time of a lane, but no more
 * than leave some for each lane that the host bears.
 *
 * Suspects are spread thin, so that a page that kills workers is found while few others lose a worker to it: first a few
 * of each account at a time, then, after another loss, one alone, while its own job sends nothing else. Pages without a loss, and so
 * other accounts, do not wait for them.
 */
export function planDispatch<Job extends CandidateJob>(situation: DispatchSituation<Job>): DispatchPlan<Job> {
  const { jobs, room, maxPagesPerJob, turns, mostOf = () => maxPagesPerJob } = situation;
  const order = new FairOrder(jobs, turns, situation.shareOf);
  const suspects = new SuspectRules(situation);
  const lanes: PlannedLane<Job>[] = [];
  const dry: Job[] = [];
  let pageCount = 0;
  const wake = { atMs: Number.POSITIVE_INFINITY };
  let starts = 0;
  let isShort = false;
  while (lanes.length < room && pageCount < situation.maxPages) {
    const queue = order.next;
    if (!queue) break;
    const isStart = queue.job.isPending === true && queue.taken.size === 0;
    const isDelayed = isStart && starts >= MAX_STARTS;
    if (isDelayed) wake.atMs = situation.nowMs;
    const profile = situation.profiles?.get(queue.job.id);
    const hasRoom = !profile || profile.running < profile.limit;
    const most = mostOf(queue.job);
    isShort ||= most === 0 || profile?.limit === 0;
    const isOpen = hasRoom && !isDelayed && queue.running < most && queue.job.id !== suspects.heldJobId;
    const page = isOpen ? findPage(queue, situation, suspects, wake) : undefined;
    if (!page) {
      if (isOpen) dry.push(queue.job);
      order.leaveOut();
      continue;
    }
    const pages = [page, ...findFurther(page, queue, situation)] as const;
    pageCount += pages.length;
    for (const { id } of pages) queue.taken.add(id);
    if (isStart) starts += 1;
    if (profile) profile.running += 1;
    suspects.note(page, queue.job);
    situation.paces.start(page.host, queue.job, situation.nowMs);
    lanes.push({ job: queue.job, pages });
    order.take();
  }
  const wakeAtMs = Number.isFinite(wake.atMs) ? wake.atMs : undefined;
  return { lanes, isFull: pageCount >= situation.maxPages, wakeAtMs, isShort, dry };
}

/** Returns whether the page fails if it loses one more worker. */
export function isLastChance({ losses }: Pick<Candidate, 'losses'>): boolean {
  return losses >= MAX_LOSSES - 1;
}

/** Most jobs that one plan starts: each takes several writes, and the pages of other jobs wait for them. */
const MAX_STARTS = 40;

/**
 * The suspects that may go out in one plan. While a page waits for its last chance, suspects go out in rounds, each when
 * the round before has finished: one such page alone, then a few of the others, so that neither kind holds up the other.
 */
class SuspectRules {
  /** The page on its last chance of each job that has one: the job sends nothing else before it. */
  readonly #lastChances: ReadonlyMap<string, Candidate>;
  readonly #limitPerAccount: number;
  readonly #running: Map<string, number>;
  readonly #isAlone: (jobId: string) => boolean;
  #round: 'several' | 'alone' | 'none';
  #heldJobId: string | undefined;

  constructor({ jobs, paces, suspects, nowMs }: DispatchSituation<CandidateJob>) {
    const suspected = jobs.filter(({ hasSuspects }) => hasSuspects);
    const isDue = ({ host, notBeforeMs }: Candidate, job: PacedJob) =>
      notBeforeMs <= nowMs && (paces.readyAtMs(host, job) ?? 0) <= nowMs;
    this.#lastChances = new Map(
      suspected.flatMap((job) => {
        const page = job.waiting.find((candidate) => isLastChance(candidate) && isDue(candidate, job));
        return page ? [[job.id, page] as const] : [];
      }),
    );
    this.#limitPerAccount = suspects.limitPerAccount;
    this.#running = new Map(suspects.running);
    this.#heldJobId = suspects.lastChanceJobId;
    this.#isAlone = suspects.isAlone ?? (() => true);
    const isReady = suspected.some(
      ({ id, lanes }) => this.#lastChances.has(id) && lanes === 0 && this.#isAlone(id),
    );
    const othersWait = suspected.some(
      (job) =>
        !this.#lastChances.has(job.id) && job.waiting.some((page) => isSuspect(page) && isDue(page, job)),
    );
    if (this.#heldJobId !== undefined || suspects.isBarred) this.#round = 'none';
    else if (!isReady) this.#round = 'several';
    else if (this.#running.size > 0) this.#round = 'none';
    else this.#round = suspects.wasLastChance && othersWait ? 'several' : 'alone';
  }

  /** The job that sends nothing now: its page on its last chance is in flight. */
  get heldJobId(): string | undefined {
    return this.#heldJobId;
  }

  /** Returns the only page that the job may send, if it has one on its last chance. */
  lastChanceOf(jobId: string): Candidate | undefined {
    return this.#lastChances.get(jobId);
  }

  /** Returns whether suspicion lets the page go out; `running` is the number of its job's lanes in flight. */
  mayGo(page: Candidate, { id, accountId }: CandidateJob, running: number): boolean {
    if (isLastChance(page)) return this.#round === 'alone' && running === 0 && this.#isAlone(id);
    if (!isSuspect(page)) return true;
    return this.#round === 'several' && (this.#running.get(accountId) ?? 0) < this.#limitPerAccount;
  }

  /** Notes that the page goes out. */
  note(page: Candidate, { id, accountId }: CandidateJob): void {
    if (!isSuspect(page)) return;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
    if (!isLastChance(page)) return;
    this.#round = 'none';
    this.#heldJobId = id;
  }
}

function isSuspect({ losses }: Candidate): boolean {
  return losses > 0;
}

/** Returns the first page of the job that may go out now; notes when the first of the others may. */
function findPage<Job extends CandidateJob>(
  queue: Queue<Job>,
  { paces, nowMs }: DispatchSituation<Job>,
  suspects: SuspectRules,
  wake: { atMs: number },
): Job['waiting'][number] | undefined {
  const { waiting } = queue.job;
  const lastChance = suspects.lastChanceOf(queue.job.id);
  const blockedHosts = new Set<string>();
  for (let place = queue.next; place < waiting.length; place++) {
    const page = waiting[place];
    if (!page || queue.taken.has(page.id) || blockedHosts.has(page.host)) continue;
    if (lastChance && page !== lastChance) continue;
    if (page.losses > 0 && !suspects.mayGo(page, queue.job, queue.running)) continue;
    const hostReadyMs = paces.readyAtMs(page.host, queue.job);
    const readyAtMs = hostReadyMs === undefined ? undefined : Math.max(hostReadyMs, page.notBeforeMs);
    if (readyAtMs !== undefined && readyAtMs <= nowMs) {
      if (place === queue.next) queue.next += 1;
      return page;
    }
    if (hostReadyMs === undefined || hostReadyMs > nowMs) blockedHosts.add(page.host);
    if (readyAtMs !== undefined) wake.atMs = Math.min(wake.atMs, readyAtMs);
  }
  return undefined;
}

/** Returns the pages that follow the first one of a lane. Suspects go alone. */
function findFurther<Job extends CandidateJob>(
  first: Candidate,
  { job, taken }: Queue<Job>,
  { paces, nowMs }: DispatchSituation<Job>,
): Job['waiting'][number][] {
  const most = paces.laneLengthOf(first.host, job);
  if (!job.hasLanes || first.losses > 0 || first.likeness === undefined || most === 1) return [];
  const openLanes = Math.max(1, paces.roomOf(first.host, job, nowMs));
  const alike: Job['waiting'][number][] = [];
  for (const page of job.waiting) {
    if (alike.length >= most * openLanes) break;
    if (page.host !== first.host || page.likeness !== first.likeness || page === first) continue;
    if (page.losses === 0 && page.notBeforeMs <= nowMs && !taken.has(page.id)) alike.push(page);
  }
  const share = Math.floor((alike.length + 1) / openLanes);
  return alike.slice(0, Math.max(0, Math.min(most, share) - 1));
}
