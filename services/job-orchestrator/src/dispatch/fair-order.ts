import TinyQueue from 'tinyqueue';
import type { CandidateJob } from './candidate.ts';
import type { Turns } from './turns.ts';

/** A job in a plan. */
export interface Queue<Job extends CandidateJob> {
  readonly job: Job;
  /** Number of its lanes in flight, with those of the plan. */
  running: number;
  /** Place in the order in which jobs were sent pages last; 0 if it never was. */
  turn: number;
  /** Place among the jobs, which are in order of age. */
  readonly place: number;
  /** Index of the first page that this plan has not passed over for good. */
  next: number;
  /** Ids of its pages in the plan. */
  readonly taken: Set<string>;
}

/** An account in a plan, with the jobs of it that may send more. */
interface Account<Job extends CandidateJob> {
  running: number;
  turn: number;
  readonly queues: TinyQueue<Queue<Job>>;
}

/**
 * The order in which jobs send lanes: from the account with the fewest in flight, and within it from the job with the
 * fewest. Of equals, the one that was sent pages least recently is next. Two heaps, one of accounts and one of the jobs of
 * each, so that a lane costs the same however many jobs there are. With several planners, the account furthest below its
 * share is next, and none sends more than its share.
 */
export class FairOrder<Job extends CandidateJob> {
  readonly #turns: Turns;
  /** Lanes of an account beyond its share. */
  readonly #most: number;
  readonly #accounts: TinyQueue<Account<Job>>;

  constructor(jobs: readonly Job[], turns: Turns, shareOf?: (accountId: string) => number) {
    this.#turns = turns;
    this.#most = shareOf ? 0 : Number.POSITIVE_INFINITY;
    const places = new Map(jobs.map((job, place) => [job, place]));
    const accounts = [...Map.groupBy(jobs, (job) => job.accountId)].map(([accountId, ofAccount]) => {
      // Jobs that are new take the place of the one of their account that has waited longest.
      turns.admit(ofAccount.map(({ id }) => id));
      const queues = ofAccount
        .filter(({ waiting }) => waiting.length > 0)
        .map((job) => toQueue(job, places.get(job) ?? 0, turns));
      return {
        running: ofAccount.reduce((sum, { lanes }) => sum + lanes, -(shareOf?.(accountId) ?? 0)),
        turn: turns.of(accountId),
        queues: new TinyQueue(queues, compareQueues),
      };
    });
    this.#accounts = new TinyQueue(
      accounts.filter(({ queues }) => queues.length > 0),
      compareAccounts,
    );
  }

  /** The job that sends the next lane; undefined if none may send more. */
  get next(): Queue<Job> | undefined {
    const account = this.#accounts.peek();
    return account && account.running < this.#most ? account.queues.peek() : undefined;
  }

  /** Notes that the next job sends a lane. */
  take(): void {
    this.#change((account, queue) => {
      queue.running += 1;
      account.running += 1;
      queue.turn = this.#turns.note(queue.job.id);
      account.turn = this.#turns.note(queue.job.accountId);
      account.queues.push(queue);
    });
  }

  /** Leaves out the next job: it sends nothing more in this plan. */
  leaveOut(): void {
    this.#change(() => {});
  }

  #change(change: (account: Account<Job>, queue: Queue<Job>) => void): void {
    const account = this.#accounts.pop();
    const queue = account?.queues.pop();
    if (!account || !queue) return;
    change(account, queue);
    if (account.queues.length > 0) this.#accounts.push(account);
  }
}

function toQueue<Job extends CandidateJob>(job: Job, place: number, turns: Turns): Queue<Job> {
  return {
    job,
    running: job.lanes,
    turn: turns.of(job.id),
    place,
    next: 0,
    taken: new Set(),
  };
}

function compareQueues(one: Queue<CandidateJob>, other: Queue<CandidateJob>): number {
  return one.running - other.running || one.turn - other.turn || one.place - other.place;
}

function compareAccounts(one: Account<CandidateJob>, other: Account<CandidateJob>): number {
  const difference = one.running - other.running || one.turn - other.turn;
  const [first, second] = [one.queues.peek(), other.queues.peek()];
  return difference || (first && second ? compareQueues(first, second) : 0);
}
