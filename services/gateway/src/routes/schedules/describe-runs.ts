import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasChanges, isTerminal, type PageResult, type Run } from '@gleaner/contracts';
import {
  describeJob,
  findSucceeded,
  isComparableRun,
  RUNS_COMPARED,
  type StoredJob,
  type Stores,
} from '@gleaner/storage';

/** Stores that runs and their results are read from. */
export interface RunReader {
  readonly jobs: Pick<Stores['jobs'], 'findRunBefore'>;
  readonly pages: Pick<Stores['pages'], 'findInOrder'>;
  readonly results: Pick<Stores['results'], 'streamResults'>;
}

/** Digests of the data of a run by URL; undefined if there is no run. */
type ReadDigests = (index: number) => Promise<ReadonlyMap<string, string> | undefined>;

/** Time after which other calls get their turn. */
const MAX_BUSY_MS = 10;

/**
 * Describes consecutive runs of a schedule, newest first; `changed` compares each page with the last run before in which
 * it succeeded. Each run is read once, one result at a time.
 */
export async function describeRuns(
  runs: readonly StoredJob[],
  reader: RunReader,
  signal: AbortSignal,
): Promise<Run[]> {
  const comparable = runs.filter(isComparableRun);
  const readDigests = digestsOfRuns(comparable, reader, signal);
  const changes = new Map<string, boolean | null>();
  for (const [index, { id }] of comparable.entries()) changes.set(id, await findChange(index, readDigests));
  return runs.map((run) => {
    const found = run.crawl?.changes;
    const changed = found && isTerminal(run.status) ? hasChanges(found) : (changes.get(run.id) ?? null);
    return { ...describeJob(run), changed };
  });
}

/** Returns whether a page of the run at this index has changed; null if none of its pages can be compared. */
async function findChange(index: number, readDigests: ReadDigests): Promise<boolean | null> {
  const left = new Map(await readDigests(index));
  const total = left.size;
  for (let before = index + 1; left.size > 0 && before <= index + RUNS_COMPARED; before += 1) {
    const earlier = await readDigests(before);
    if (!earlier) break;
    for (const [url, digest] of left) {
      const previous = earlier.get(url);
      if (previous !== undefined && previous !== digest) return true;
      if (previous !== undefined) left.delete(url);
    }
  }
  return left.size < total ? false : null;
}

/** Returns a reader of runs by index, newest first; it goes on with the runs before those that are given. */
function digestsOfRuns(given: readonly StoredJob[], reader: RunReader, signal: AbortSignal): ReadDigests {
  const runs = [...given];
  const digests: ReadonlyMap<string, string>[] = [];
  return async (index) => {
    while (runs.length <= index) {
      const before = await findBefore(runs.at(-1), reader);
      if (!before) return undefined;
      runs.push(before);
    }
    const run = runs[index];
    if (!run) return undefined;
    digests[index] ??= await digestsOf(run.id, reader, signal);
    return digests[index];
  };
}

async function findBefore(run: StoredJob | undefined, { jobs }: RunReader): Promise<StoredJob | null> {
  if (run?.scheduleId === undefined) return null;
  const { accountId, scheduleId, id: jobId } = run;
  return await jobs.findRunBefore({ accountId, scheduleId, jobId });
}

async function digestsOf(
  jobId: string,
  { pages, results }: RunReader,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const succeeded = await findSucceeded(jobId, pages);
  const urls = new Map([...succeeded].map(([url, { id }]) => [id, url]));
  const digests = new Map<string, string>();
  let turnBeganMs = performance.now();
  for await (const { id, json } of results.streamResults([...succeeded.values()])) {
    digests.set(urls.get(id) ?? '', digestOf(json));
    if (performance.now() - turnBeganMs < MAX_BUSY_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    turnBeganMs = performance.now();
  }
  return digests;
}

/** Returns a digest of the data of a result, or of its formats if it has no data. */
function digestOf(json: string): string {
  const result = JSON.parse(json) as PageResult;
  const compared = result.data ?? ('formats' in result ? result.formats : null);
  return createHash('sha256').update(JSON.stringify(compared, inOrder)).digest('base64');
}

/** Sorts the members of objects by name: another order of the selectors is not a change of the data. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
