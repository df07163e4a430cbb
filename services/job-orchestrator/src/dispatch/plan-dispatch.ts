import type { HostPaces } from './host-pace.ts';

/** A page that may be dispatched. */
export interface Candidate {
  readonly id: string;
  readonly host: string;
  /** In milliseconds since 1970. */
  readonly notBeforeMs: number;
  /** It has lost a worker before: only one such page is out at a time, so that the guilty one is found. */
  readonly isSuspect: boolean;
}

/** A job that has pages to dispatch, in their order. */
export interface CandidateJob<Page extends Candidate = Candidate> {
  readonly id: string;
  readonly accountId: string;
  readonly waiting: readonly Page[];
  readonly runningPages: number;
}

/** What there is to choose from. */
export interface DispatchSituation<Job extends CandidateJob> {
  /** Oldest first. */
  readonly jobs: readonly Job[];
  readonly paces: Pick<HostPaces, 'readyAtMs' | 'start'>;
  /** How many more pages may be in flight in all. */
  readonly room: number;
  readonly maxPagesPerJob: number;
  readonly runningSuspects: number;
  readonly nowMs: number;
}

/** The pages to dispatch now, and when to look again if nothing else happens. */
export interface DispatchPlan<Job extends CandidateJob> {
  readonly picks: readonly { readonly job: Job; readonly page: Job['waiting'][number] }[];
  readonly wakeAtMs: number | undefined;
}

/**
 * Chooses pages one by one, each time from the account with the fewest pages in flight, and of it from the job with
 * the fewest: so a job of one page waits for one slot, whatever else there is. Hosts are asked as their paces allow.
 */
export function planDispatch<Job extends CandidateJob>(situation: DispatchSituation<Job>): DispatchPlan<Job> {
  const { jobs, room, maxPagesPerJob } = situation;
  const counts = { accounts: countByAccount(jobs), suspects: situation.runningSuspects };
  const queues = jobs.map((job) => ({ job, running: job.runningPages, next: 0, taken: new Set<string>() }));
  const picks: { job: Job; page: Job['waiting'][number] }[] = [];
  const wake = { atMs: Number.POSITIVE_INFINITY };
  let open = queues.filter(({ job }) => job.waiting.length > 0);
  while (picks.length < room && open.length > 0) {
    const queue = fewest(open, ({ job, running }) => [counts.accounts.get(job.accountId) ?? 0, running]);
    const page =
      queue.running < maxPagesPerJob ? findEligible(queue, situation, counts.suspects, wake) : undefined;
    if (!page) {
      open = open.filter((other) => other !== queue);
      continue;
    }
    queue.taken.add(page.id);
    queue.running += 1;
    counts.accounts.set(queue.job.accountId, (counts.accounts.get(queue.job.accountId) ?? 0) + 1);
    if (page.isSuspect) counts.suspects += 1;
    situation.paces.start(page.host, situation.nowMs);
    picks.push({ job: queue.job, page });
  }
  return { picks, wakeAtMs: Number.isFinite(wake.atMs) ? wake.atMs : undefined };
}

interface Queue<Job extends CandidateJob> {
  readonly job: Job;
  running: number;
  /** Where the pages begin that were not passed over for good in this plan. */
  next: number;
  readonly taken: Set<string>;
}

/** The first page of the job that may go out now; notes when the first of the others may. */
function findEligible<Job extends CandidateJob>(
  queue: Queue<Job>,
  { paces, nowMs }: DispatchSituation<Job>,
  suspects: number,
  wake: { atMs: number },
): Job['waiting'][number] | undefined {
  const { waiting } = queue.job;
  const blockedHosts = new Set<string>();
  for (let place = queue.next; place < waiting.length; place++) {
    const page = waiting[place];
    if (!page || queue.taken.has(page.id) || blockedHosts.has(page.host)) continue;
    if (page.isSuspect && suspects > 0) continue;
    const hostReadyMs = paces.readyAtMs(page.host);
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

function countByAccount(jobs: readonly CandidateJob[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId, runningPages } of jobs)
    counts.set(accountId, (counts.get(accountId) ?? 0) + runningPages);
  return counts;
}

/** The first of those with the smallest pair of numbers. */
function fewest<Item>(items: readonly Item[], measure: (item: Item) => readonly [number, number]): Item {
  return items.reduce((best, item) => {
    const [a, b] = measure(item);
    const [bestA, bestB] = measure(best);
    return a < bestA || (a === bestA && b < bestB) ? item : best;
  });
}
