import { MAX_LOSSES } from '../collect/decide-page-end.ts';
import type { HostPaces, PacedJob } from './host-pace.ts';

/** A page that may be dispatched. */
export interface Candidate {
  readonly id: string;
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly notBeforeMs: number;
  /** Workers that died while they had the page. */
  readonly losses: number;
}

/** A job that has pages to dispatch, in their order. */
export interface CandidateJob<Page extends Candidate = Candidate> extends PacedJob {
  readonly accountId: string;
  readonly waiting: readonly Page[];
  /** False if none of the waiting pages has lost a worker. */
  readonly hasSuspects: boolean;
  readonly runningPages: number;
  /** It has to be started before its first page is sent. */
  readonly isPending?: boolean;
}

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
}

/** Input of one plan. */
export interface DispatchSituation<Job extends CandidateJob> {
  /** Oldest first. */
  readonly jobs: readonly Job[];
  readonly paces: Pick<HostPaces, 'readyAtMs' | 'start'>;
  /** Number of further pages that may be in flight in all. */
  readonly room: number;
  readonly maxPagesPerJob: number;
  readonly suspects: SuspectSituation;
  readonly turns: Turns;
  readonly nowMs: number;
}

/** The pages to dispatch now, and when to look again if nothing else happens. */
export interface DispatchPlan<Job extends CandidateJob> {
  readonly picks: readonly { readonly job: Job; readonly page: Job['waiting'][number] }[];
  readonly wakeAtMs: number | undefined;
}

/**
 * Chooses pages one by one, each time from the account with the fewest pages in flight, and within it from the job with
 * the fewest: so a job of one page waits for one slot, whatever else there is. Of equals, the one that was sent pages least
 * recently is next. Hosts are asked as their paces allow.
 *
 * Suspects are spread thin, so that a page that kills workers is found while few others lose a worker to it: first a few
 * of each account at a time, then, after another loss, one alone, while its own job sends nothing else. Pages without a loss, and so
 * other accounts, do not wait for them.
 */
export function planDispatch<Job extends CandidateJob>(situation: DispatchSituation<Job>): DispatchPlan<Job> {
  const { jobs, room, maxPagesPerJob, turns } = situation;
  const accounts = loadsOf(jobs, turns);
  const suspects = new SuspectRules(situation);
  const picks: { job: Job; page: Job['waiting'][number] }[] = [];
  const wake = { atMs: Number.POSITIVE_INFINITY };
  let open: Queue<Job>[] = jobs
    .filter(({ waiting }) => waiting.length > 0)
    .map((job) => ({
      ...{ job, running: job.runningPages, next: 0, taken: new Set<string>() },
      account: accounts.get(job.accountId) ?? { running: 0, turn: 0 },
      turn: turns.of(job.id),
    }));
  let starts = 0;
  while (picks.length < room && open.length > 0) {
    const queue = open.reduce((best, each) => (isBefore(each, best) ? each : best));
    const isStart = queue.job.isPending === true && queue.taken.size === 0;
    const isDelayed = isStart && starts >= MAX_STARTS;
    if (isDelayed) wake.atMs = situation.nowMs;
    const isOpen = !isDelayed && queue.running < maxPagesPerJob && queue.job.id !== suspects.heldJobId;
    const page = isOpen ? findPage(queue, situation, suspects, wake) : undefined;
    if (!page) {
      open = open.filter((other) => other !== queue);
      continue;
    }
    queue.taken.add(page.id);
    if (isStart) starts += 1;
    queue.running += 1;
    queue.account.running += 1;
    queue.turn = turns.note(queue.job.id);
    queue.account.turn = turns.note(queue.job.accountId);
    suspects.note(page, queue.job);
    situation.paces.start(page.host, queue.job, situation.nowMs);
    picks.push({ job: queue.job, page });
  }
  return { picks, wakeAtMs: Number.isFinite(wake.atMs) ? wake.atMs : undefined };
}

/** Returns whether the page fails if it loses one more worker. */
export function isLastChance({ losses }: Pick<Candidate, 'losses'>): boolean {
  return losses >= MAX_LOSSES - 1;
}

/** Jobs that one plan starts: each takes several writes, which the pages of other jobs wait for. */
const MAX_STARTS = 40;

interface Load {
  running: number;
  /** Place in the order in which accounts, or jobs, were sent pages last; 0 of those that never were. */
  turn: number;
}

interface Queue<Job extends CandidateJob> extends Load {
  readonly job: Job;
  readonly account: Load;
  /** Index of the first page that this plan has not passed over for good. */
  next: number;
  readonly taken: Set<string>;
}

/**
 * The suspects that may go out in one plan. While a page waits for its last chance, suspects go out in rounds, each when
 * the round before has finished: one such page alone, then a few of the others, so that neither kind holds up the other.
 */
class SuspectRules {
  /** The page on its last chance of each job that has one: the job sends nothing else before it. */
  readonly #lastChances: ReadonlyMap<string, Candidate>;
  readonly #limitPerAccount: number;
  readonly #running: Map<string, number>;
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
    const isReady = suspected.some(({ id, runningPages }) => this.#lastChances.has(id) && runningPages === 0);
    const othersWait = suspected.some(
      (job) =>
        !this.#lastChances.has(job.id) && job.waiting.some((page) => isSuspect(page) && isDue(page, job)),
    );
    if (this.#heldJobId !== undefined) this.#round = 'none';
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

  /** Returns whether suspicion lets the page go out; `running` is the number of its job's pages in flight. */
  mayGo(page: Candidate, { accountId }: CandidateJob, running: number): boolean {
    if (isLastChance(page)) return this.#round === 'alone' && running === 0;
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

/** Returns the load of each account; jobs that are new take the place of the one of their account that has waited longest. */
function loadsOf(jobs: readonly CandidateJob[], turns: Turns): Map<string, Load> {
  const loads = new Map<string, Load>();
  for (const [accountId, ofAccount] of Map.groupBy(jobs, (job) => job.accountId)) {
    turns.admit(ofAccount.map(({ id }) => id));
    const running = ofAccount.reduce((sum, { runningPages }) => sum + runningPages, 0);
    loads.set(accountId, { running, turn: turns.of(accountId) });
  }
  return loads;
}

function isBefore(one: Queue<CandidateJob>, other: Queue<CandidateJob>): boolean {
  const difference =
    one.account.running - other.account.running ||
    one.account.turn - other.account.turn ||
    one.running - other.running ||
    one.turn - other.turn;
  return difference < 0;
}

/** Jobs and accounts whose turns are remembered. */
const MAX_TURNS = 10_000;

/** Remembers in which order jobs and accounts were sent pages last. */
export class Turns {
  /** Longest ago first. */
  readonly #sent = new Map<string, number>();
  /** Places of jobs that were sent nothing yet. */
  readonly #admitted = new Map<string, number>();
  #count = 0;

  /** Returns the place of a job or account; 0 if it was sent nothing yet. */
  of(id: string): number {
    return this.#sent.get(id) ?? this.#admitted.get(id) ?? 0;
  }

  /** Notes that a job or account is sent a page, and returns its new place. */
  note(id: string): number {
    this.#admitted.delete(id);
    this.#count += 1;
    remember(this.#sent, id, this.#count);
    return this.#count;
  }

  /**
   * Gives jobs of one account that are new the place of the one that has waited longest: so a new job waits for few others,
   * and however many new ones come, the others have their turns.
   */
  admit(jobIds: readonly string[]): void {
    const places = jobIds.flatMap((id) => this.#sent.get(id) ?? []);
    const first = places.reduce((least, place) => Math.min(least, place), this.#count);
    for (const id of jobIds)
      if (!this.#sent.has(id) && !this.#admitted.has(id)) remember(this.#admitted, id, first);
  }
}

function remember(places: Map<string, number>, id: string, place: number): void {
  places.delete(id);
  places.set(id, place);
  const [oldest] = places.keys();
  if (places.size > MAX_TURNS && oldest !== undefined) places.delete(oldest);
}
