import { LIMITS } from '@gleaner/contracts';
import {
  type Block,
  type DatasetDocument,
  type DatasetNumbers,
  type RecordChange,
  type RecordDocument,
  type RunOpening,
  recordIdOf,
} from './dataset-model.ts';

/** A record that a job found on a page. */
export interface FoundRecord
  extends Pick<RecordDocument, 'jobId' | 'index' | 'attempt' | 'url' | 'key' | 'json' | 'hash' | 'bytes'> {
  /** Dotted paths of its values. */
  readonly columns: readonly string[];
}

/** State of a record as far as changes are decided by it. */
export type RecordState = Pick<
  RecordDocument,
  '_id' | 'hash' | 'bytes' | 'isGone' | 'run' | 'index' | 'attempt' | 'firstSeen' | 'lastSeen'
>;

/** Everything that a block is decided by. */
export interface BlockBasis {
  readonly head: DatasetDocument;
  /** Runs of the jobs that have begun to write. */
  readonly runs: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, RecordState>;
  readonly at: Date;
  /** Bytes that all records may have. */
  readonly maxBytes: number;
}

/** A decided block, and what is left to do beside it. */
export interface PlannedBlock {
  /** Undefined if nothing changes. */
  readonly block: Block | undefined;
  /** Records that are as they were, and were seen last more than a day ago. */
  readonly seenAgain: readonly string[];
  /** Jobs with records that do not fit any more. */
  readonly fullFor: ReadonlySet<string>;
}

const DAY_MS = 24 * 3600 * 1000;

/** Decides what found records change. A record changes if its contents do, or if it was gone; what is found later counts. */
export function planBlock(found: readonly FoundRecord[], basis: BlockBasis): PlannedBlock {
  const { head, at } = basis;
  const openings = openingsOf(found, basis);
  const runs = new Map([...basis.runs, ...openings.map(({ jobId, run }) => [jobId, run] as const)]);
  const { drafts, records, bytes, seenAgain, fullFor } = draftRecords(found, basis, runs);
  const rest = { seenAgain: [...seenAgain], fullFor };
  const changed = [...drafts].filter(([, { record, before }]) => isChange(record, before));
  if (changed.length === 0 && openings.length === 0) return { block: undefined, ...rest };
  const returned = changed.filter(([, { before }]) => before?.isGone).length;
  const after: DatasetNumbers = {
    revision: head.revision + changed.length,
    run: head.run + openings.length,
    records: records + returned,
    gone: head.gone - returned,
    bytes,
  };
  const changes = changed.map(([_id, { record, before }], place) => {
    const revision = head.revision + place + 1;
    return changeOf(record, { _id, before, run: runs.get(record.jobId) ?? 0, revision, head, at });
  });
  const columns = withColumns(
    head.columns,
    changed.map(([, { record }]) => record),
  );
  return { block: { changes, openings, columns, at, after }, ...rest };
}

/** The last state of each record that differs from the one before it, and the numbers with them. */
interface Drafts extends Pick<PlannedBlock, 'fullFor'> {
  readonly drafts: ReadonlyMap<
    string,
    { readonly record: FoundRecord; readonly before: RecordState | undefined }
  >;
  readonly records: number;
  readonly bytes: number;
  readonly seenAgain: ReadonlySet<string>;
}

function draftRecords(
  found: readonly FoundRecord[],
  { head, states, at, maxBytes }: BlockBasis,
  runs: ReadonlyMap<string, number>,
): Drafts {
  const drafts = new Map<
    string,
    { readonly record: FoundRecord; readonly before: RecordState | undefined }
  >();
  const latest = new Map(states);
  const seenAgain = new Set<string>();
  const fullFor = new Set<string>();
  let { records, bytes } = head;
  for (const record of found) {
    const _id = recordIdOf(head.datasetId, record.key);
    const run = runs.get(record.jobId) ?? 0;
    const known = latest.get(_id);
    const before = states.get(_id);
    if (known && isEarlier({ ...record, run }, known)) continue;
    if (!isChange(record, known)) {
      if (known && known === before && at.getTime() - known.lastSeen.getTime() >= DAY_MS) seenAgain.add(_id);
      continue;
    }
    const added = record.bytes - (known?.bytes ?? 0);
    const isFull = !known && records + head.gone >= LIMITS.maxRecordsPerDataset;
    if (isFull || (added > 0 && bytes + added > maxBytes)) {
      fullFor.add(record.jobId);
      continue;
    }
    bytes += added;
    if (!known) records += 1;
    latest.set(_id, stateOf(record, { _id, run, firstSeen: known?.firstSeen ?? at, lastSeen: at }));
    drafts.set(_id, { record, before });
  }
  return { drafts, records, bytes, seenAgain, fullFor };
}

function isChange({ hash }: FoundRecord, known: RecordState | undefined): boolean {
  return !known || known.isGone || known.hash !== hash;
}

function stateOf(
  { hash, bytes, index, attempt }: FoundRecord,
  rest: Pick<RecordState, '_id' | 'run' | 'firstSeen' | 'lastSeen'>,
): RecordState {
  return { hash, bytes, index, attempt, isGone: false, ...rest };
}

/** Decides the block that marks records as gone, on behalf of the last run to begin. */
export function planGone(
  missing: readonly Pick<RecordDocument, '_id'>[],
  jobId: string,
  { head, at }: Pick<BlockBasis, 'head' | 'at'>,
): Block {
  const { revision, run, records, gone, bytes, columns } = head;
  const latest = { index: Number.MAX_SAFE_INTEGER, attempt: 0 };
  return {
    changes: missing.map(({ _id }, place) => ({
      _id,
      set: { revision: revision + place + 1, isGone: true, changedAt: at, jobId, run, ...latest },
    })),
    openings: [],
    columns,
    at,
    after: {
      revision: revision + missing.length,
      run,
      records: records - missing.length,
      gone: gone + missing.length,
      bytes,
    },
  };
}

/** Numbers the runs of the jobs that write for the first time. */
function openingsOf(found: readonly FoundRecord[], { head, runs }: BlockBasis): RunOpening[] {
  const jobIds = [...new Set(found.map(({ jobId }) => jobId))].filter((jobId) => !runs.has(jobId));
  return jobIds.sort().map((jobId, place) => ({ jobId, run: head.run + place + 1, from: head.revision }));
}

/** Returns whether a record was found before the state that is known, by run, page and attempt. */
function isEarlier(
  record: Pick<RecordDocument, 'run' | 'index' | 'attempt'>,
  known: Pick<RecordDocument, 'run' | 'index' | 'attempt'>,
): boolean {
  return (record.run - known.run || record.index - known.index || record.attempt - known.attempt) < 0;
}

function changeOf(
  { columns: _columns, ...record }: FoundRecord,
  {
    _id,
    before,
    run,
    revision,
    head,
    at,
  }: Pick<BlockBasis, 'head' | 'at'> & {
    readonly _id: string;
    readonly before: RecordState | undefined;
    readonly run: number;
    readonly revision: number;
  },
): RecordChange {
  const times = { firstSeen: before?.firstSeen ?? at, lastSeen: at, changedAt: at };
  return { _id, set: { datasetId: head.datasetId, ...record, ...times, run, revision, isGone: false } };
}

function withColumns(known: readonly string[], records: readonly FoundRecord[]): string[] {
  const columns = new Set(known);
  for (const record of records) {
    for (const column of record.columns) if (columns.size < LIMITS.maxDatasetColumns) columns.add(column);
  }
  return [...columns];
}
