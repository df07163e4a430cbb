import { type PageResult, parseInTurns, takingTurns } from '@gleaner/contracts';
import {
  type DatasetOfJob,
  datasetOf,
  recordIdOf,
  type StoredJob,
  type StoredPage,
  type Stores,
} from '@gleaner/storage';
import { keepingOf, type WriteRecordsDeps } from './page-records.ts';
import { readKeys } from './read-records.ts';

/** Collaborators of marking records as gone. */
export interface MarkGoneDeps extends WriteRecordsDeps {
  readonly stores: WriteRecordsDeps['stores'] & {
    readonly pages: Pick<Stores['pages'], 'findInOrder'>;
    readonly results: Pick<Stores['results'], 'streamResults'>;
  };
}

const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;
/** Records that a run may have found; more than a dataset keeps. */
const MAX_KEYS = 2_000_000;
/** States of pages in a complete run. */
const HEALTHY: ReadonlySet<StoredPage['state']> = new Set(['succeeded', 'visited', 'missing', 'skipped']);

/**
 * Marks the records as gone that a run did not find. Does nothing if the run is incomplete or unhealthy: a page failed, was not content
 * or was not fetched because of a limit, the list or a part of the key is `lost`, or a later run has begun to write.
 */
export async function markGone(
  job: Pick<StoredJob, 'id' | 'accountId' | 'crawl' | 'cancelRequestedAt' | 'restFailure' | 'datasetJson'>,
  deps: MarkGoneDeps,
  { signal, lost }: { readonly signal: AbortSignal; readonly lost: ReadonlySet<string> },
): Promise<void> {
  if (job.datasetJson === undefined || job.cancelRequestedAt || job.restFailure) return;
  if (job.crawl?.stoppedBy || job.crawl?.dropped.frontierFull || job.crawl?.dropped.trap) return;
  const dataset = datasetOf(job.datasetJson);
  if (dataset.gone !== 'run' || hasLost(dataset, lost)) return;
  const found = await findRecordIds(job.id, dataset, deps, signal);
  if (!found || found.size === 0) return;
  const target = { accountId: job.accountId, name: dataset.name, datasetId: dataset.id };
  const isFound = (recordId: string) => found.has(shortOf(recordId));
  await deps.stores.datasets.writeGone(target, { jobId: job.id, isFound }, keepingOf(deps));
}

/** Returns whether values of the records are not those of the pages. Paths of rules of a crawl begin with their places. */
function hasLost({ rows, key = [] }: DatasetOfJob, lost: ReadonlySet<string>): boolean {
  const needed = rows === undefined ? key : [rows, ...key.map((path) => `${rows}.${path}`)];
  const paths = new Set([...lost].map((path) => path.replace(/^rules\.\d+\./, '')));
  return needed.some((path) => paths.has(path));
}

/** Returns the records of a run in short; undefined if it did not read all its pages as they are. */
async function findRecordIds(
  jobId: string,
  dataset: DatasetOfJob,
  { stores: { pages, results } }: MarkGoneDeps,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  const takeTurns = takingTurns();
  const found = new Set<number>();
  let afterId = '';
  for (;;) {
    const chunk = await pages.findInOrder(jobId, { states: ALL_STATES, afterId, limit: PAGES_AT_ONCE });
    if (chunk.some((page) => !isHealthy(page))) return undefined;
    const succeeded = chunk.filter(({ state }) => state === 'succeeded');
    for (let first = 0; first < succeeded.length; first += RESULTS_AT_ONCE) {
      for await (const { json } of results.streamResults(succeeded.slice(first, first + RESULTS_AT_ONCE))) {
        const { url, data } = (await parseInTurns(json, takeTurns)) as PageResult;
        for (const key of data ? readKeys(data, { url }, dataset) : []) {
          found.add(shortOf(recordIdOf(dataset.id, key)));
          await takeTurns();
        }
        await takeTurns();
        signal.throwIfAborted();
        if (found.size > MAX_KEYS) return undefined;
      }
    }
    const last = chunk.at(-1);
    if (!last || chunk.length < PAGES_AT_ONCE) return found;
    afterId = last.id;
  }
}

const ALL_STATES = ['succeeded', 'visited', 'failed', 'missing', 'skipped', 'cancelled'] as const;

function isHealthy({ state, verdict = 'content', crawled }: StoredPage): boolean {
  const isRead = crawled?.skip !== 'limit' && crawled?.skip !== 'trap';
  return HEALTHY.has(state) && isRead && (state !== 'succeeded' || verdict === 'content');
}

/** Returns 48 bits of the hash in the id of a record: numbers take less memory than texts. */
function shortOf(recordId: string): number {
  return Buffer.from(recordId.slice(recordId.indexOf('/') + 1, -1), 'base64url').readUIntBE(0, 6);
}
