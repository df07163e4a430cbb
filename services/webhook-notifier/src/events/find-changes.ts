import type { PageResult } from '@gleaner/contracts';
import { pageIdOf, type StoredJob, type Stores } from '@gleaner/storage';
import { type Data, diffData, type FieldChange } from './diff-data.ts';

/** Where the results of runs are. */
type RunStores = Pick<Stores, 'jobs' | 'pages' | 'results'>;

/** What a schedule's run found to be other than in its last successful run; undefined when nothing, or it is the first. */
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

/** A run is a job of one page; what that brought, unless it is gone. */
async function readData(jobId: string, { pages, results }: RunStores): Promise<Data | undefined> {
  const found = await pages.findPages([pageIdOf(jobId, 0)]);
  const texts = await results.findResults(found.filter(({ state }) => state === 'succeeded'));
  const [text] = texts.values();
  const result = text === undefined ? undefined : (JSON.parse(text) as PageResult);
  return result?.data ?? undefined;
}
