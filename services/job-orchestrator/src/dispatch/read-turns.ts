import { type HostShare, isHostFrom, type StoredPage, type Stores } from '@gleaner/storage';
import type { Candidate } from './candidate.ts';
import type { HostPaces, PacedJob } from './host-pace.ts';

/** Pages of a large job that are read ahead. */
export interface PagesAhead<Page extends Candidate> extends PacedJob {
  readonly waiting: readonly Page[];
  /** Host after which reading continues; empty at the start of a round over the hosts. */
  readonly afterHost: string;
}

/** Collaborators and bounds of one reading. */
export interface TurnsDeps<Page extends Candidate> {
  readonly pages: Pick<Stores['pages'], 'findWaitingByHost'>;
  readonly paces: Pick<HostPaces, 'roomOf'>;
  readonly nowMs: number;
  /** Number of pages that could be sent now if there were enough of them. */
  readonly wanted: number;
  /** Number of pages that the job may have ahead. */
  readonly maxAhead: number;
  readonly dueBy: Date;
  /** Hosts of the planner; all of them unless given. */
  readonly share?: HostShare | undefined;
  readonly toPage: (page: StoredPage) => Page;
  /** Returns the pages allowed by robots.txt. */
  readonly admit: (pages: readonly StoredPage[]) => Promise<readonly StoredPage[]>;
}

/** The pages ahead after a reading. */
export interface TurnsRead<Page extends Candidate> {
  readonly waiting: readonly Page[];
  readonly afterHost: string;
  /** Number of pages ahead that could be sent now, as far as they were counted. */
  readonly ready: number;
  /** False if every host was looked at, so that another reading finds nothing until a host runs out of pages ahead. */
  readonly hasMore: boolean;
}

/** Hosts that fill the pages ahead. */
const HOSTS_AHEAD = 12;
/** Pages read ahead for a host without a free slot, so that the next slot waits for no reading. */
const PER_BUSY_HOST = 20;
const MAX_QUERIES = 16;

/**
 * Reads further waiting pages of a large job, host by host, until as many can be sent as are wanted. Hosts that are
 * paused or have as many pages in flight as they may do not count, so that none of them hides the others.
 */
export async function readTurns<Page extends Candidate>(
  job: PagesAhead<Page>,
  { pages, paces, nowMs, wanted, maxAhead, dueBy, share, toPage, admit }: TurnsDeps<Page>,
): Promise<TurnsRead<Page>> {
  const roomOf = (host: string) => paces.roomOf(host, job, nowMs);
  const ready = countReady(job.waiting, wanted, roomOf);
  if (ready >= wanted) return { waiting: job.waiting, afterHost: job.afterHost, ready, hasMore: true };
  const perHost = Math.ceil(maxAhead / HOSTS_AHEAD);
  const ahead = new Ahead(job.waiting, { roomOf, perHost, maxAhead });
  let { afterHost } = job;
  let isSecondRound = false;
  for (let query = 0; query < MAX_QUERIES && ahead.ready < wanted; query++) {
    const found = await pages.findWaitingByHost(job.id, { afterHost, limit: perHost, dueBy, share });
    for (const page of await admit(found)) ahead.add(toPage(page));
    const isEnd = found.length < perHost;
    afterHost = isEnd ? '' : (found.at(-1)?.host ?? '');
    const isWholeRound = isSecondRound
      ? isEnd || isHostFrom(afterHost, job.afterHost, share)
      : isEnd && job.afterHost === '';
    if (isWholeRound) return { waiting: ahead.inTurns(), afterHost, ready: ahead.ready, hasMore: false };
    isSecondRound ||= isEnd;
  }
  return { waiting: ahead.inTurns(), afterHost, ready: ahead.ready, hasMore: true };
}

/** Returns the number of pages ready to be sent, at most this many. */
function countReady(pages: readonly Candidate[], atMost: number, roomOf: (host: string) => number): number {
  if (pages.length < atMost) return 0;
  const left = new Map<string, number>();
  let ready = 0;
  for (const { host } of pages) {
    if (ready >= atMost) break;
    const room = left.get(host) ?? roomOf(host);
    if (room <= 0) continue;
    left.set(host, room - 1);
    ready += 1;
  }
  return ready;
}

/** Returns pages so that each host in turn has one, and the pages of one host keep their order. */
export function inTurns<Page extends Candidate>(pages: readonly Page[]): Page[] {
  const queues = [...Map.groupBy(pages, ({ host }) => host).values()];
  if (queues.length < 2) return [...pages];
  const longest = Math.max(...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat();
}

interface AheadBounds {
  readonly roomOf: (host: string) => number;
  readonly perHost: number;
  readonly maxAhead: number;
}

/** The pages ahead of one job while more are read. */
class Ahead<Page extends Candidate> {
  readonly #byHost: Map<string, Page[]>;
  readonly #ids: Set<string>;
  readonly #bounds: AheadBounds;

  constructor(waiting: readonly Page[], bounds: AheadBounds) {
    this.#byHost = Map.groupBy(waiting, ({ host }) => host);
    this.#ids = new Set(waiting.map(({ id }) => id));
    this.#bounds = bounds;
  }

  /** Number of pages that could be sent now. */
  get ready(): number {
    let sum = 0;
    for (const [host, pages] of this.#byHost) sum += Math.min(pages.length, this.#bounds.roomOf(host));
    return sum;
  }

  add(page: Page): void {
    const { id, host } = page;
    const { roomOf, perHost, maxAhead } = this.#bounds;
    const pages = this.#byHost.get(host) ?? [];
    if (this.#ids.has(id) || pages.length >= (roomOf(host) > 0 ? perHost : PER_BUSY_HOST)) return;
    if (this.#ids.size >= maxAhead) this.#dropBusyHosts();
    if (this.#ids.size >= maxAhead) return;
    this.#ids.add(id);
    pages.push(page);
    this.#byHost.set(host, pages);
  }

  inTurns(): Page[] {
    return inTurns([...this.#byHost.values()].flat());
  }

  /** Makes room for hosts that take pages now; the dropped pages are read again in a later round. */
  #dropBusyHosts(): void {
    for (const [host, pages] of this.#byHost) {
      if (this.#bounds.roomOf(host) > 0) continue;
      for (const { id } of pages) this.#ids.delete(id);
      this.#byHost.delete(host);
    }
  }
}
