import { isDeepStrictEqual } from 'node:util';
import type { PageResult } from '@gleaner/contracts';
import { pageIdOf, type StoredJob, type Stores } from '@gleaner/storage';

/** Stores with the results of runs. */
type RunStores = Pick<Stores, 'jobs' | 'pages' | 'results'>;

/** Extracted data of a page, by field. */
export type Data = Readonly<Record<string, unknown>>;

/** Value of a field before and now; null if the field did or does not exist. */
export interface FieldChange {
  readonly previous: unknown;
  readonly current: unknown;
}

/** The changes that a webhook carries, and the names of changed fields that do not fit into it. */
export interface FittingChanges {
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly omittedFields: readonly string[];
}

/** Largest size of the changes that a webhook carries. */
const MAX_CHANGES_BYTES = 1024 * 1024;

/**
 * Finds how the data of a schedule's run differs from its last successful run before; undefined if it does not, or if
 * the run is the first.
 */
export async function findChanges(
  run: StoredJob,
  stores: RunStores,
): Promise<Readonly<Record<string, FieldChange>> | undefined> {
  const { accountId, scheduleId } = run;
  if (scheduleId === undefined) return undefined;
  const before = await stores.jobs.findRunBefore({ accountId, scheduleId, jobId: run.id });
  if (!before) return undefined;
  const [previous, current] = await Promise.all([readData(before.id, stores), readData(run.id, stores)]);
  return previous && current && diffData(previous, current);
}

/** Returns the fields whose values differ: current fields in their order, then removed ones; undefined if none does. */
export function diffData(previous: Data, current: Data): Readonly<Record<string, FieldChange>> | undefined {
  const names = new Set([...Object.keys(current), ...Object.keys(previous)]);
  const changes = [...names].flatMap((name): [string, FieldChange][] => {
    const change = { previous: fieldOf(previous, name), current: fieldOf(current, name) };
    return isDeepStrictEqual(change.previous, change.current) ? [] : [[name, change]];
  });
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** Keeps the changes that fit into 1 MiB, in their order, and lists the names of the others. */
export function fitChanges(
  changes: Readonly<Record<string, FieldChange>>,
  maxBytes = MAX_CHANGES_BYTES,
): FittingChanges {
  let bytes = 0;
  const sized = Object.entries(changes).map(([name, change]) => {
    const size = Buffer.byteLength(JSON.stringify({ [name]: change }));
    const fits = bytes + size <= maxBytes;
    if (fits) bytes += size;
    return { name, change, fits };
  });
  return {
    changes: Object.fromEntries(sized.filter(({ fits }) => fits).map(({ name, change }) => [name, change])),
    omittedFields: sized.filter(({ fits }) => !fits).map(({ name }) => name),
  };
}

/** Reads the data of a run, which is a job of one page, or its formats if it has no data; undefined if it was deleted. */
async function readData(jobId: string, { pages, results }: RunStores): Promise<Data | undefined> {
  const found = await pages.findPages([pageIdOf(jobId, 0)]);
  const texts = await results.findResults(found.filter(({ state }) => state === 'succeeded'));
  const [text] = texts.values();
  const result = text === undefined ? undefined : (JSON.parse(text) as PageResult);
  return result && (result.data ?? formatsOf(result));
}

/** Returns the formats as fields: `formats.markdown`; undefined for the result of a page that failed. */
function formatsOf(result: PageResult): Data | undefined {
  if (!('formats' in result) || result.formats === undefined) return undefined;
  const { formats } = result;
  return Object.fromEntries(Object.entries(formats).map(([name, value]) => [`formats.${name}`, value]));
}

function fieldOf(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : null;
}
