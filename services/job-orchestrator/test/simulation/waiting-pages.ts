import type { StoredPage } from '@gleaner/storage';

/** Size of the work of a simulation. */
export interface Workload {
  readonly accounts: number;
  readonly jobs: number;
  readonly hosts: number;
  readonly pagesPerJob: number;
  readonly hostsPerJob: number;
}

/** A job with its waiting pages, as numbers: the next page of each of its hosts. */
interface SimulatedJob {
  readonly id: string;
  readonly accountId: string;
  /** Sorted, as the index of the database has them. */
  readonly hosts: readonly string[];
  readonly next: number[];
}

/** Pages of jobs that wait, instead of a database: pages of one host go out in order, so a number for each is enough. */
export class WaitingPages {
  readonly jobs: readonly SimulatedJob[];
  readonly #byId: ReadonlyMap<string, SimulatedJob>;
  readonly #perHost: number;

  constructor({ accounts, jobs, hosts, pagesPerJob, hostsPerJob }: Workload) {
    this.#perHost = Math.ceil(pagesPerJob / hostsPerJob);
    this.jobs = Array.from({ length: jobs }, (_, number) => ({
      id: `job_${String(number).padStart(6, '0')}`,
      accountId: `acc_${number % accounts}`,
      hosts: Array.from({ length: hostsPerJob }, (__, place) => {
        return `h${String((number * 37 + place * 11) % hosts).padStart(6, '0')}.test`;
      }).sort(),
      next: new Array<number>(hostsPerJob).fill(0),
    }));
    this.#byId = new Map(this.jobs.map((job) => [job.id, job]));
  }

  /** Number of pages that wait. */
  get size(): number {
    return this.jobs.reduce(
      (sum, { next }) => sum + next.reduce((left, at) => left + this.#perHost - at, 0),
      0,
    );
  }

  /** Returns waiting pages of a job by host, of the hosts that sort after this one. */
  findByHost(jobId: string, { afterHost, limit }: { afterHost: string; limit: number }): StoredPage[] {
    const job = this.#byId.get(jobId);
    const found: StoredPage[] = [];
    for (const [place, host] of job?.hosts.entries() ?? []) {
      if (host <= afterHost) continue;
      for (let page = job?.next[place] ?? 0; page < this.#perHost; page++) {
        if (found.length === limit) return found;
        found.push(pageOf(jobId, host, place * this.#perHost + page));
      }
    }
    return found;
  }

  /** Takes a page out; returns false if it was not the next one of its host. */
  claim(jobId: string, index: number): boolean {
    const job = this.#byId.get(jobId);
    const place = Math.floor(index / this.#perHost);
    if (!job || job.next[place] !== index % this.#perHost) return false;
    job.next[place] += 1;
    return true;
  }
}

function pageOf(jobId: string, host: string, index: number): StoredPage {
  const counts = { attempt: 0, failures: 0, losses: 0, overdues: 0 };
  return {
    id: `${jobId}:${index}`,
    jobId,
    index,
    host,
    url: `http://${host}/${index}`,
    state: 'waiting',
    ...counts,
  };
}
