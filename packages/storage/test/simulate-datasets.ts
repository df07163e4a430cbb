import { createHash } from 'node:crypto';
import { AppError, createId } from '@gleaner/contracts';
import type { Random } from '@gleaner/test-kit';
import { DatasetReader, requireRevision } from '../src/datasets/dataset-reader.ts';
import type { DatasetSteps } from '../src/datasets/dataset-steps.ts';
import { DatasetStore, type DatasetTarget } from '../src/datasets/dataset-store.ts';
import { type Database, type FoundRecord, recordIdOf } from '../src/index.ts';
import { type Death, type SteppedProcess, startStepped } from './stepped-process.ts';

/** Collaborators of a simulation. */
export interface SimulationDeps {
  readonly models: Database['models'];
  readonly steps: DatasetSteps;
  readonly random: Random;
  readonly accountId: string;
  /** Chooses at each step whether its process is killed. */
  readonly nextDeath: () => Death;
  /** Rounds of jobs, one after the other. */
  readonly runs: number;
  /** Jobs that write at once. */
  readonly jobsAtOnce: number;
}

/** A record of the table: its contents, and whether it is gone. */
export interface Row {
  readonly json: string;
  readonly isGone: boolean;
}

const NAME = 'books';
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const PAGES = 3;
const PROCESSES = 3;
const START_MS = Date.parse('2099-06-01T12:00:00.000Z');

/** A job: the records of its pages, and whether what it does not find is gone. */
interface SimulatedJob {
  readonly jobId: string;
  readonly pages: readonly (readonly FoundRecord[])[];
  readonly marksGone: boolean;
}

/** Copy of a dataset that follows its feed, as a caller of the API does. */
export class Follower {
  readonly rows = new Map<string, Row>();
  #since = 0;
  readonly #reader: DatasetReader;
  readonly #accountId: string;
  /** State of the record that had each revision, over all followers. */
  readonly #given: Map<number, string>;

  constructor(
    { models, accountId }: Pick<SimulationDeps, 'models' | 'accountId'>,
    given: Map<number, string>,
  ) {
    this.#reader = new DatasetReader(models);
    this.#accountId = accountId;
    this.#given = given;
  }

  /** Reads to the end of the feed, or as far as the database answers. Throws if a revision comes a second time, or to two states. */
  async follow(): Promise<void> {
    await this.#follow().catch(ignoreSilence);
  }

  /** Reads to the end of the feed. */
  async followToEnd(): Promise<void> {
    await untilAnswered(() => this.#follow());
  }

  async #follow(): Promise<void> {
    const dataset = await this.#reader.findDataset(this.#accountId, NAME);
    if (!dataset) return;
    try {
      requireRevision(dataset, this.#since);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'REVISION_GONE') throw error;
      this.rows.clear();
      this.#since = 0;
    }
    if (!dataset.isLive) return;
    for await (const { key, json, isGone, revision } of this.#reader.readFeed(dataset, {
      since: this.#since,
    })) {
      const state = JSON.stringify([key, json, isGone]);
      if (revision <= this.#since) throw new Error(`The revision ${revision} came again.`);
      if ((this.#given.get(revision) ?? state) !== state)
        throw new Error(`Two states have the revision ${revision}.`);
      this.#given.set(revision, state);
      this.#since = revision;
      this.rows.set(key, { json, isGone });
    }
    this.#since = Math.max(this.#since, dataset.revision);
  }
}

/** Outcome of a simulation. */
export interface Simulated {
  /** The table as it should be, if one job wrote at a time. */
  readonly expected: ReadonlyMap<string, Row>;
  /** Contents that the last jobs found of each key. */
  readonly found: ReadonlyMap<string, ReadonlySet<string>>;
  readonly followers: readonly Follower[];
}

/**
 * Lets processes write what jobs found to one dataset, one step at a time in a random order, and kills some before and
 * some after a step. What a killed process had to do is done by another one, as a message that comes again; some messages come
 * again although they were handled. At times the dataset is deleted. Followers that begin at different times read the feed after each step.
 */
export async function simulateDataset(deps: SimulationDeps): Promise<Simulated> {
  const { random } = deps;
  const clock = { nowMs: START_MS };
  const expected = new Map<string, Row>();
  const found = new Map<string, Set<string>>();
  const given = new Map<number, string>();
  const followers = [new Follower(deps, given)];
  const afterEachStep = async () => {
    if (random.below(12) === 0) followers.push(new Follower(deps, given));
    if (random.below(3) === 0) await random.pick(followers).follow();
    else if (random.below(2) === 0) await followers[0]?.follow();
  };
  let handled: Work[] = [];
  for (let run = 0; run < deps.runs; run += 1) {
    clock.nowMs += random.below(4) === 0 ? -3_600_000 : random.below(100_000_000);
    if (random.below(6) === 0) {
      await work(deps, [remove(deps, clock)], afterEachStep);
      for (const rows of [expected, found]) rows.clear();
      handled = [];
    }
    const target = await ensure(deps, clock, afterEachStep);
    const jobs = Array.from({ length: deps.jobsAtOnce }, () => createJob(random, deps.jobsAtOnce > 1));
    const writes = jobs.flatMap((job) => job.pages.map((page) => write(target, page, clock)));
    const again = handled.filter(() => random.below(6) === 0);
    await work(deps, [...writes, ...again], afterEachStep);
    for (const job of jobs) {
      if (job.marksGone) await work(deps, [markGone(target, job, clock)], afterEachStep);
      note(job, expected, found);
    }
    handled = [...handled, ...writes];
  }
  const last = await ensure(deps, clock, afterEachStep);
  await work(deps, [(store) => store.findChange(last, 'job', keepingAt(clock))], afterEachStep);
  return { expected, found, followers };
}

/** Takes the silence of a database under load for the death of the process: whether its step took effect is unknown. */
function ignoreSilence(error: unknown): false {
  if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return false;
  throw error;
}

/** Repeats a reading until the database answers. */
export async function untilAnswered<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      ignoreSilence(error);
    }
  }
}

type Clock = { nowMs: number };
type Work = (store: DatasetStore) => Promise<unknown>;

/** Does work in processes of a random order; what a killed one had to do is done again. */
async function work(
  { steps, random, nextDeath }: SimulationDeps,
  all: readonly Work[],
  afterEachStep: () => Promise<unknown>,
): Promise<void> {
  const waiting = [...all];
  const running = new Map<SteppedProcess, Work>();
  const done = new Set<Work>();
  while (waiting.length > 0 || running.size > 0) {
    if (waiting.length > 0 && running.size < PROCESSES) {
      const [next] = waiting.splice(random.below(waiting.length), 1);
      if (!next) continue;
      const process = startStepped(steps, async (stepped) => {
        await next(new DatasetStore(stepped));
        done.add(next);
      });
      running.set(process, next);
    }
    const process = random.pick([...running.keys()]);
    if (!(await process.advance(nextDeath()).catch(ignoreSilence))) {
      const its = running.get(process);
      running.delete(process);
      if (its && !done.has(its)) waiting.push(its);
    }
    await afterEachStep();
  }
}

function keepingAt({ nowMs }: Clock) {
  return { at: new Date(nowMs), quotaBytes: 1024 ** 3, retentionMs: 1e12 };
}

function write(target: DatasetTarget, page: readonly FoundRecord[], clock: Clock): Work {
  return (store) => store.writeRecords(target, page, keepingAt(clock));
}

function markGone(target: DatasetTarget, { jobId, pages }: SimulatedJob, clock: Clock): Work {
  const found = new Set(pages.flat().map(({ key }) => recordIdOf(target.datasetId, key)));
  return (store) => store.writeGone(target, { jobId, isFound: (id) => found.has(id) }, keepingAt(clock));
}

function remove({ accountId }: SimulationDeps, clock: Clock): Work {
  return (store) => store.removeDataset(accountId, NAME, new Date(clock.nowMs));
}

async function ensure(
  deps: SimulationDeps,
  clock: Clock,
  afterEachStep: () => Promise<unknown>,
): Promise<DatasetTarget> {
  const { accountId } = deps;
  let datasetId = '';
  const create: Work = async (store) => {
    datasetId = await store.ensureDataset(accountId, { name: NAME, key: ['isbn'] }, new Date(clock.nowMs));
  };
  await work(deps, [create], afterEachStep);
  return { accountId, name: NAME, datasetId };
}

/** Creates a job whose pages have each key once or, if `overlaps`, some keys in several pages with other contents. */
function createJob(random: Random, overlaps: boolean): SimulatedJob {
  const jobId = createId('job');
  const keys = KEYS.filter(() => random.below(4) > 0);
  const pages = Array.from({ length: PAGES }, (_, index) =>
    keys
      .filter((_key, place) => place % PAGES === index || (overlaps && random.below(4) === 0))
      .map((key) => recordOf(jobId, index, key, random.below(3))),
  );
  return { jobId, pages, marksGone: random.below(2) === 0 };
}

/** Returns a book with a price, as a job finds it on a page. */
export function recordOf(jobId: string, index: number, key: string, price: number): FoundRecord {
  const json = JSON.stringify({ isbn: key, price });
  const hash = createHash('sha256').update(json).digest('base64url');
  const page = { jobId, index, attempt: 1, url: `https://shop.example/${index}` };
  return { ...page, key, json, hash, bytes: json.length, columns: ['isbn', 'price'] };
}

/** Adds the records of a job to the expected table. */
function note(
  { pages, marksGone }: SimulatedJob,
  expected: Map<string, Row>,
  found: Map<string, Set<string>>,
) {
  const records = pages.flat();
  for (const { key, json } of records) {
    expected.set(key, { json, isGone: false });
    found.set(key, (found.get(key) ?? new Set()).add(json));
  }
  const keys = new Set(records.map(({ key }) => key));
  // A job that found nothing never wrote, and says nothing about what is there.
  if (!marksGone || keys.size === 0) return;
  for (const [key, row] of expected) if (!keys.has(key)) expected.set(key, { ...row, isGone: true });
}
