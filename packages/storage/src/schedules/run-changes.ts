import { isDeepStrictEqual } from 'node:util';
import type { PageResult } from '@gleaner/contracts';
import type { JobStore } from '../jobs/job-store.ts';
import type { StoredJob } from '../jobs/stored-job.ts';
import type { PageStore } from '../pages/page-store.ts';
import type { StoredPage } from '../pages/stored-page.ts';
import type { ResultStore } from '../results/result-store.ts';
import { findSucceeded, isComparableRun, RUNS_COMPARED } from './run-pages.ts';

/** Stores with the results of runs. */
interface RunStores {
  readonly jobs: Pick<JobStore, 'findRunBefore'>;
  readonly pages: Pick<PageStore, 'findInOrder'>;
  readonly results: Pick<ResultStore, 'findResults'>;
}

/** Extracted data of a page, by field. */
export type Data = Readonly<Record<string, unknown>>;

/** Value of a field before and now; null if the field did or does not exist. */
export interface FieldChange {
  readonly previous: unknown;
  readonly current: unknown;
}

/** Changes that fit, and the names of changed fields that do not. */
export interface FittingChanges {
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly omittedFields: readonly string[];
}

/** A page that has changed. */
export interface ChangedPage extends FittingChanges {
  readonly url: string;
}

/** Changed pages of a run, with the number of those that do not fit. */
export interface ChangedPages {
  readonly pages: readonly ChangedPage[];
  readonly omittedPages: number;
}

/** Largest size of the changes of a run by default: what a webhook carries. */
const MAX_CHANGES_BYTES = 1024 * 1024;
/** Number of pages in memory at once; a result may be large. */
const AT_ONCE = 5;

/**
 * Finds how the pages of a schedule's run differ from the last runs before in which they succeeded; undefined if none
 * does. Crawls are not compared.
 */
export async function findChanges(
  run: StoredJob,
  stores: RunStores,
  maxBytes = MAX_CHANGES_BYTES,
): Promise<ChangedPages | undefined> {
  if (!isComparableRun(run)) return undefined;
  const pairs = await findPairs(run, stores);
  const pages: ChangedPage[] = [];
  let omittedPages = 0;
  let bytes = 0;
  for (let first = 0; first < pairs.length; first += AT_ONCE) {
    for (const { url, changes } of await compare(pairs.slice(first, first + AT_ONCE), stores)) {
      // The only page is always there, at least with the names of its fields.
      const isOnly = run.totalUrls === 1;
      const page = { url, ...fitChanges(changes, maxBytes - bytes) };
      const size = sizeOf(page);
      const fits = isOnly || bytes + size <= maxBytes;
      if (fits) pages.push(page);
      else omittedPages += 1;
      bytes += fits ? size : 0;
    }
  }
  return pages.length + omittedPages > 0 ? { pages, omittedPages } : undefined;
}

/** A page of the run and the same page of the last run before in which it succeeded. */
interface Pair {
  readonly url: string;
  readonly current: StoredPage;
  readonly previous: StoredPage;
}

async function findPairs(run: StoredJob, { jobs, pages }: RunStores): Promise<Pair[]> {
  const { accountId, scheduleId } = run;
  if (scheduleId === undefined) return [];
  const left = new Map(await findSucceeded(run.id, pages));
  const pairs: Pair[] = [];
  let last = run;
  for (let count = 0; count < RUNS_COMPARED && left.size > 0; count += 1) {
    const before = await jobs.findRunBefore({ accountId, scheduleId, jobId: last.id });
    if (!before) break;
    for (const [url, previous] of await findSucceeded(before.id, pages)) {
      const current = left.get(url);
      if (current) pairs.push({ url, current, previous });
      left.delete(url);
    }
    last = before;
  }
  return pairs.sort((one, other) => one.current.index - other.current.index);
}

async function compare(pairs: readonly Pair[], { results }: RunStores) {
  const texts = await results.findResults(pairs.flatMap(({ current, previous }) => [current, previous]));
  return pairs.flatMap(({ url, current, previous }) => {
    const [before, now] = [dataOf(texts.get(previous.id)), dataOf(texts.get(current.id))];
    const changes = before && now && diffData(before, now);
    return changes ? [{ url, changes }] : [];
  });
}

function sizeOf(page: ChangedPage): number {
  // Includes the comma.
  return Buffer.byteLength(JSON.stringify(page)) + 1;
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

/** Keeps the changes that fit, in their order, and lists the names of the others. */
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

/** Returns the data of a result, or its formats if it has no data; undefined if it was deleted. */
function dataOf(text: string | undefined): Data | undefined {
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
