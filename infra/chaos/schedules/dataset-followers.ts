import { setTimeout as sleep } from 'node:timers/promises';
import type { DatasetRecord } from '@gleaner/contracts';
import type { Calls } from '../call-service.ts';
import type { Findings } from '../report.ts';

/** Dataset that all schedules write at once, with a record for each page. */
export const DATASET = 'pages';

interface Feed {
  readonly records: readonly DatasetRecord[];
  readonly next: number;
  readonly hasMore: boolean;
}

/** State of a record without `lastSeen`: a later one makes no revision. */
type State = Pick<DatasetRecord, 'key' | 'op' | 'revision' | 'record' | 'jobId'>;

/** A copy, and the last revision in it. */
interface Follower {
  since: number;
  readonly rows: Map<string, State>;
}

const FEED = `/v1/datasets/${DATASET}/records`;
const PAUSE_MS = 300;
const MAX_FOLLOWERS = 20;
/** Less than a run writes: followers stop in the middle of it. */
const PAGE = 7;

/** Copies of the dataset that follow its feed while everything is killed; each begins at another time. */
export class DatasetFollowers {
  readonly #insist: Calls['insist'];
  readonly #findings: Findings;
  readonly #followers: Follower[] = [];
  /** State of the record that had each revision, over all followers. */
  readonly #given = new Map<number, string>();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(calls: Pick<Calls, 'insist'>, findings: Findings) {
    this.#insist = calls.insist;
    this.#findings = findings;
  }

  /** Follows the feed until `finish`. */
  start(): void {
    this.#running = this.#follow();
    this.#running.catch(() => {});
  }

  /** Reads to the end of the feed, and checks that each copy is the table. Returns the table by key, and the number of revisions that were read. */
  async finish(): Promise<{ readonly table: ReadonlyMap<string, State>; readonly revisions: number }> {
    this.#stop.abort();
    await this.#running;
    const table = await this.#readTable();
    this.#begin();
    for (const [index, follower] of this.#followers.entries()) {
      while (await this.#readPage(follower));
      const copy = JSON.stringify(inOrder(follower.rows));
      if (copy !== JSON.stringify(inOrder(table)))
        this.#findings.other.push(`Follower ${index} of the dataset has another table than the dataset.`);
    }
    return { table, revisions: this.#given.size };
  }

  async #follow(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      if (this.#followers.length < MAX_FOLLOWERS) this.#begin();
      const follower = this.#followers[turn % this.#followers.length];
      if (follower) await this.#readPage(follower);
      await sleep(PAUSE_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    }
  }

  #begin(): void {
    this.#followers.push({ since: 0, rows: new Map() });
  }

  /** Reads the next page of the feed. Returns whether there is more. */
  async #readPage(follower: Follower): Promise<boolean> {
    const { status, json } = await this.#insist<Feed>('GET', `${FEED}?since=${follower.since}&limit=${PAGE}`);
    // No run has written yet.
    if (status === 404) return false;
    for (const record of json.records) {
      const { key, revision } = record;
      const state = JSON.stringify(stateOf(record));
      if (revision <= follower.since)
        this.#findings.doubled.push(`The feed gave the revision ${revision} after ${follower.since}.`);
      if ((this.#given.get(revision) ?? state) !== state)
        this.#findings.doubled.push(`The revision ${revision} was given to two states: ${state}.`);
      this.#given.set(revision, state);
      follower.rows.set(key, stateOf(record));
      follower.since = Math.max(follower.since, revision);
    }
    follower.since = Math.max(follower.since, json.next);
    return json.hasMore;
  }

  /** Reads the table in one go. */
  async #readTable(): Promise<ReadonlyMap<string, State>> {
    const { status, json } = await this.#insist<Feed>('GET', `${FEED}?since=0&limit=1000`);
    return new Map(status === 404 ? [] : json.records.map((record) => [record.key, stateOf(record)]));
  }
}

function stateOf({ key, op, revision, record, jobId }: DatasetRecord): State {
  return { key, op, revision, record, jobId };
}

function inOrder(rows: ReadonlyMap<string, State>): State[] {
  return [...rows.values()].toSorted((one, other) => one.revision - other.revision);
}

/** Compares the table with the pages that the runs found: each has a record, with the values of its run. */
export function checkTable(
  table: ReadonlyMap<string, Omit<State, 'revision'>>,
  found: ReadonlyMap<string, ReadonlyMap<string, object>>,
  findings: Findings,
): void {
  for (const pages of found.values())
    for (const url of pages.keys())
      if (!table.has(url)) findings.lost.push(`${url} has no record in the dataset.`);
  for (const { key, op, record, jobId } of table.values()) {
    const its = found.get(jobId)?.get(key);
    if (op !== 'upsert') findings.other.push(`The record ${key} is ${op}, and no run takes records away.`);
    if (!its) findings.other.push(`The record ${key} is of ${jobId}, which has not found it.`);
    else if (JSON.stringify(its) !== JSON.stringify(record))
      findings.other.push(
        `The record ${key} is ${JSON.stringify(record)}; ${jobId} found ${JSON.stringify(its)}.`,
      );
  }
}
