import type { ChangeCounts } from '@gleaner/contracts';
import type { StoredJob } from '@gleaner/storage';
import { onlyFields, pathsInData, withoutFields } from './choose-fields.ts';
import type { Data } from './diff-value.ts';
import {
  type CompareLimits,
  type FoundDifferences,
  type RunDifferences,
  type RunReader,
  RunToCompare,
} from './run-to-compare.ts';

/** Options of one comparison. */
export interface CompareOptions {
  readonly limits?: CompareLimits;
  /** Paths of fields whose selectors have lost the values of the pages: they are left out. */
  readonly lost?: ReadonlySet<string>;
  /** Paths of fields that have values again, each with the last run before their loss. */
  readonly regained?: ReadonlyMap<string, string>;
}

const NOTHING: ReadonlySet<string> = new Set();

export const COMPARE_LIMITS: CompareLimits = {
  maxPages: 250_000,
  maxRecords: 200_000,
  maxParts: 64,
  maxChanges: 10_000,
  maxBytes: 16 * 1024 * 1024,
};

/** Number of earlier runs in which the last content of a page is looked for. */
const MAX_RUNS = 10;

/**
 * Compares the data of a run with the data that its pages had last, in up to ten runs before. Records of lists are matched by
 * a key over all pages, so that a record that moves to another page has not changed; what a page has beside its lists is
 * matched by the page. A page that failed, that one of the runs did not come to, or that is of another kind than before says
 * nothing. Fields that were lost for a while are compared with the last run that had them. Results are read a few at a time; only hashes are in memory, and the process stays free for other work. Returns null if there is nothing to compare.
 */
export async function compareRun(
  job: StoredJob,
  reader: RunReader,
  signal: AbortSignal,
  { limits = COMPARE_LIMITS, lost = NOTHING, regained = new Map() }: CompareOptions = {},
): Promise<RunDifferences | null> {
  const earlier = await findEarlier(job, reader);
  const [since] = earlier;
  if (since === undefined) return null;
  const left = pathsInData(lost);
  const run = new RunToCompare(job, { reader, signal, limits, choose: (data) => withoutFields(data, left) });
  if (!(await run.readPages(earlier))) return null;
  const found = await run.compare();
  const all = [found];
  const paths = [...regained.keys()];
  for (const [good, ofRun] of Map.groupBy(paths, (path) => regained.get(path) ?? '')) {
    const only = pathsInData(ofRun);
    const keys = new Map(Object.entries(found.keys));
    const choose = (data: Data) => onlyFields(data, only, keys);
    const room = { ...limits, maxChanges: limits.maxChanges - all.flatMap(({ changes }) => changes).length };
    const again = new RunToCompare(job, { reader, signal, limits: room, choose, keys });
    if (await again.readPages(await runsFrom(good, job, reader)))
      all.push(await again.compare({ only, known: found.changed }));
  }
  return { since, ...sumOf(all) };
}

/** Returns the sum of comparisons of different fields. */
function sumOf(all: readonly FoundDifferences[]): Omit<RunDifferences, 'since'> {
  const count = (kind: keyof ChangeCounts) => all.reduce((sum, { counts }) => sum + counts[kind], 0);
  return {
    counts: { added: count('added'), removed: count('removed'), changed: count('changed') },
    changes: all.flatMap(({ changes }) => changes),
    omitted: all.reduce((sum, { omitted }) => sum + omitted, 0),
    notCompared: all[0]?.notCompared ?? 0,
    keys: Object.fromEntries(all.flatMap(({ keys }) => Object.entries(keys))),
  };
}

/** Returns a run of a schedule and some before it, latest first. */
async function runsFrom(
  jobId: string,
  { accountId, scheduleId }: StoredJob,
  { jobs }: RunReader,
): Promise<string[]> {
  const runs = [jobId];
  while (scheduleId !== undefined && runs.length < MAX_RUNS) {
    const before = await jobs.findRunBefore({ accountId, scheduleId, jobId: runs.at(-1) ?? '' });
    if (!before) break;
    runs.push(before.id);
  }
  return runs;
}

/** Returns the runs that a job is compared with, latest first; none of jobs that are not compared. */
async function findEarlier(job: StoredJob, { jobs }: RunReader): Promise<readonly string[]> {
  const { accountId, scheduleId, crawl } = job;
  if (crawl) return crawl.since ?? [];
  if (scheduleId === undefined) return [];
  const found: string[] = [];
  let last = job.id;
  while (found.length < MAX_RUNS) {
    const before = await jobs.findRunBefore({ accountId, scheduleId, jobId: last });
    if (!before) break;
    found.push(before.id);
    last = before.id;
  }
  return found;
}
