import { createHash } from 'node:crypto';
import type { PageResult, Run } from '@gleaner/contracts';
import { describeJob, pageIdOf, type StoredJob, type Stores } from '@gleaner/storage';

/** Stores that runs and their results are read from. */
export interface RunReader {
  readonly jobs: Pick<Stores['jobs'], 'findRunBefore'>;
  readonly pages: Pick<Stores['pages'], 'findPages'>;
  readonly results: Pick<Stores['results'], 'findResults'>;
}

/** Number of results in memory at once; a result may be large. */
const AT_ONCE = 5;

/** Describes consecutive runs of a schedule, newest first; `changed` compares each with the last successful run before it. */
export async function describeRuns(runs: readonly StoredJob[], reader: RunReader): Promise<Run[]> {
  const succeeded = runs.filter(({ status }) => status === 'completed');
  const before = await findBefore(succeeded.at(-1), reader);
  const ids = [...succeeded.map(({ id }) => id), ...(before ? [before.id] : [])];
  const digests = await digestsOf(ids, reader);
  const changes = new Map(ids.map((id, index) => [id, differ(digests[index], digests[index + 1])]));
  return runs.map((run) => ({ ...describeJob(run), changed: changes.get(run.id) ?? null }));
}

async function findBefore(run: StoredJob | undefined, { jobs }: RunReader): Promise<StoredJob | null> {
  if (run?.scheduleId === undefined) return null;
  const { accountId, scheduleId, id: jobId } = run;
  return await jobs.findRunBefore({ accountId, scheduleId, jobId });
}

async function digestsOf(ids: readonly string[], reader: RunReader): Promise<(string | undefined)[]> {
  const digests: (string | undefined)[] = [];
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const group = ids.slice(first, first + AT_ONCE);
    digests.push(...(await Promise.all(group.map((id) => digestOf(id, reader)))));
  }
  return digests;
}

/** Returns a digest of the data of a run, or of its formats if it has no data; undefined when they were deleted. */
async function digestOf(jobId: string, { pages, results }: RunReader): Promise<string | undefined> {
  const found = await pages.findPages([pageIdOf(jobId, 0)]);
  const [text] = (await results.findResults(found.filter(({ state }) => state === 'succeeded'))).values();
  if (text === undefined) return undefined;
  const result = JSON.parse(text) as PageResult;
  const compared = result.data ?? ('formats' in result ? result.formats : null);
  return createHash('sha256').update(JSON.stringify(compared, inOrder)).digest('base64');
}

/** Sorts the members of objects by name: another order of the selectors is not a change of the data. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function differ(current: string | undefined, previous: string | undefined): boolean | null {
  return current === undefined || previous === undefined ? null : current !== previous;
}
