import { decodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { commandError, notServed } from '../command-error.ts';
import type { Matcher } from '../filter/compile-filter.ts';
import { MAX_KEY_BYTES } from '../indexes/encode-key.ts';
import { type SortField, sortKey } from '../indexes/parse-sort.ts';
import type { IndexPlan, Plan } from '../planner/plan-query.ts';
import type { Collection, StoredRecord } from '../storage/collection.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import { entryKey, isTruncatedEntry, type RecordId, recordIdOfEntry } from '../storage/record-keys.ts';
import type { Pacer } from './pacer.ts';

/** A document that matched. */
export interface Match extends StoredRecord {
  readonly document: Doc;
}

/** A query to run on a collection. */
export interface QueryRun {
  readonly collection: Collection;
  readonly plan: Plan<CollectionIndex>;
  readonly matches: Matcher;
  readonly sort: readonly SortField[];
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
  readonly pacer: Pacer;
  /** Counts what explain shows. */
  readonly stats?: RunStats;
}

/** Numbers of keys and documents that a run has examined. */
export interface RunStats {
  keysExamined: number;
  docsExamined: number;
}

/** Memory limit of a sort (`internalQueryMaxBlockingSortMemoryUsageBytes`). */
const MOST_SORT_BYTES = 100 * 1024 * 1024;
const FIRST_BATCH = 32;
const LARGEST_BATCH = 512;
/** Limits a batch by size too, so that documents of megabytes come a few at a time. */
const MOST_BATCH_BYTES = 4 * 1024 * 1024;

/** The matching documents, in order, in batches that grow; gives way to other work between batches. */
export async function* runQuery(run: QueryRun): AsyncGenerator<Match[], void, void> {
  const needsSort = run.sort.length > 0 && !run.plan.providesSort;
  const matches = needsSort ? sorted(run) : unsorted(run);
  let toSkip = run.skip;
  let left = run.limit === 0 ? Number.POSITIVE_INFINITY : run.limit;
  for await (const batch of matches) {
    const rest = toSkip > 0 ? batch.slice(toSkip) : batch;
    toSkip -= batch.length - rest.length;
    const taken = rest.length > left ? rest.slice(0, left) : rest;
    left -= taken.length;
    if (taken.length > 0) yield taken;
    if (left === 0) return;
  }
}

async function* unsorted(run: QueryRun): AsyncGenerator<Match[], void, void> {
  const wanted = run.limit === 0 ? Number.POSITIVE_INFINITY : run.limit + run.skip;
  let size = Math.min(FIRST_BATCH, wanted);
  let batch: Match[] = [];
  let bytes = 0;
  for (const record of candidates(run)) {
    const pause = run.pacer.tick();
    if (pause !== undefined) await pause;
    if (run.stats) run.stats.docsExamined++;
    const document = decodeDocument(record.raw);
    if (!run.matches(document)) continue;
    batch.push({ ...record, document });
    bytes += record.raw.length;
    if (batch.length < size && bytes < MOST_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
    size = Math.min(size * 4, LARGEST_BATCH);
  }
  if (batch.length > 0) yield batch;
}

interface Keyed {
  readonly key: Buffer;
  readonly order: number;
  readonly match: Match;
}

async function* sorted(run: QueryRun): AsyncGenerator<Match[], void, void> {
  const most = run.limit === 0 ? Number.POSITIVE_INFINITY : run.limit + run.skip;
  let kept: Keyed[] = [];
  let bytes = 0;
  let order = 0;
  for await (const batch of unsorted({ ...run, limit: 0, skip: 0 })) {
    for (const match of batch) {
      kept.push({ key: sortKey(match.document, run.sort), order: order++, match });
      bytes += match.raw.length;
    }
    if (kept.length > most + 2 * LARGEST_BATCH) {
      kept = kept.sort(byKey).slice(0, most);
      bytes = kept.reduce((sum, { match }) => sum + match.raw.length, 0);
    }
    if (bytes > MOST_SORT_BYTES) {
      throw commandError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Executor error during find command :: caused by :: Sort exceeded memory limit of ${MOST_SORT_BYTES} bytes; add an index that provides the sort`,
      );
    }
  }
  yield kept.sort(byKey).map(({ match }) => match);
}

function byKey(a: Keyed, b: Keyed): number {
  return Buffer.compare(a.key, b.key) || a.order - b.order;
}

/** The records that the plan of a query leads to, each once. */
function* candidates(run: QueryRun): Generator<StoredRecord, void, void> {
  const { collection, plan } = run;
  if (plan.kind === 'collection') return yield* collection.scan();
  const seen = new Set<number>();
  for (const recordId of recordIds(plan, run)) {
    if (plan.index.isMultikey) {
      if (seen.has(recordId)) continue;
      seen.add(recordId);
    }
    const raw = collection.get(recordId);
    if (raw !== undefined) yield { recordId, raw };
  }
}

function* recordIds(
  plan: IndexPlan<CollectionIndex>,
  { collection, sort, stats }: QueryRun,
): Generator<RecordId, void, void> {
  const { ident } = plan.index;
  if (plan.uniqueKey !== undefined) {
    const recordId = plan.index.find(plan.uniqueKey);
    if (recordId === undefined) return;
    if (stats) stats.keysExamined++;
    yield recordId;
    return;
  }
  for (const { lower, upper } of plan.ranges) {
    const range = {
      lower: entryKey(ident, cut(lower), undefined),
      upper: entryKey(ident, cutAbove(upper), undefined),
    };
    for (const { value } of collection.scanEntries(range, plan.isReverse)) {
      if (isTruncatedEntry(value) && sort.length > 0 && plan.providesSort)
        throw notServed(`a sort by keys of over ${MAX_KEY_BYTES} bytes`);
      if (stats) stats.keysExamined++;
      yield recordIdOfEntry(value);
    }
  }
}

function cut(bound: Buffer): Buffer {
  return bound.length > MAX_KEY_BYTES ? bound.subarray(0, MAX_KEY_BYTES) : bound;
}

function cutAbove(bound: Buffer): Buffer {
  return bound.length > MAX_KEY_BYTES
    ? Buffer.concat([bound.subarray(0, MAX_KEY_BYTES), Buffer.from([0xff])])
    : bound;
}
