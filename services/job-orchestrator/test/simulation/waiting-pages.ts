import { type HostShare, hasHost, hostHashOf, type StoredPage } from '@gleaner/storage';

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
  /** Numbers of its hosts, sorted as the index of the database sorts their names, or in a share their hashes. */
  readonly hosts: Uint32Array;
  readonly next: Uint32Array;
}

/** Pages of jobs that wait, instead of a database: pages of one host go out in order, so a number for each is enough. */
export class WaitingPages {
  readonly jobs: readonly SimulatedJob[];
  readonly #byId: ReadonlyMap<string, SimulatedJob>;
  readonly #perHost: number;
  /** Hashes of the names of all hosts; only in a share. */
  readonly #hashes: Uint32Array | undefined;
  #size: number;
  /** Number of reads. */
  queries = 0;

  /** The hosts of a job follow each other, so that jobs share them as far as there are more than the hosts of one. */
  constructor({ accounts, jobs, hosts, pagesPerJob, hostsPerJob }: Workload, share?: HostShare) {
    this.#perHost = Math.ceil(pagesPerJob / hostsPerJob);
    this.#hashes = share && Uint32Array.from({ length: hosts }, (_, host) => hostHashOf(nameOf(host)));
    this.jobs = Array.from({ length: jobs }, (_, number) => {
      const first = Math.floor((number * hosts) / jobs);
      const all = Uint32Array.from({ length: hostsPerJob }, (__, place) => (first + place) % hosts);
      const ofJob = share ? all.filter((host) => hasHost(share, nameOf(host))) : all;
      return {
        id: `job_${String(number).padStart(6, '0')}`,
        accountId: `acc_${number % accounts}`,
        hosts: ofJob.sort((one, other) => this.#orderOf(one) - this.#orderOf(other)),
        next: new Uint32Array(ofJob.length),
      };
    });
    this.#size = this.jobs.reduce((sum, job) => sum + job.hosts.length, 0) * this.#perHost;
    this.#byId = new Map(this.jobs.map((job) => [job.id, job]));
  }

  /** Number of pages that wait. */
  get size(): number {
    return this.#size;
  }

  /** Returns waiting pages of a job by host, of the hosts that sort after this one. */
  findByHost(jobId: string, { afterHost, limit }: { afterHost: string; limit: number }): StoredPage[] {
    this.queries += 1;
    const job = this.#byId.get(jobId);
    const found: StoredPage[] = [];
    if (!job) return found;
    const { hosts, next } = job;
    for (let place = this.#placeAfter(hosts, afterHost); place < hosts.length; place++) {
      for (let page = next[place] ?? 0; page < this.#perHost; page++) {
        if (found.length === limit) return found;
        found.push(pageOf(jobId, nameOf(hosts[place] ?? 0), place * this.#perHost + page));
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
    this.#size -= 1;
    return true;
  }

  #orderOf(host: number): number {
    return this.#hashes?.[host] ?? host;
  }

  /** Returns the place of the first host that sorts after the named one. */
  #placeAfter(hosts: Uint32Array, name: string): number {
    if (name === '') return 0;
    const order = this.#orderOf(Number(name.slice(1, -'.test'.length)));
    let from = 0;
    let to = hosts.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#orderOf(hosts[middle] ?? 0) <= order) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function nameOf(host: number): string {
  return `h${String(host).padStart(7, '0')}.test`;
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
