import { type RecordOp, takingTurns } from '@gleaner/contracts';
import { csvCell, csvLine } from '@gleaner/contracts/csv';
import { KindFinder, memberOf, renderValuesAsParquet, type ValueColumn } from '@gleaner/export';
import type { StoredRecord, StoredVersion } from '@gleaner/storage';

/** Characters after which records are sent on. */
const MAX_CHARACTERS = 64 * 1024;

/** Writes a page of the feed: the records, the revision to read on from, and whether there are more. */
export async function* renderPage(
  records: AsyncIterable<StoredRecord>,
  { since, limit, end }: { readonly since: number; readonly limit: number; readonly end: number },
): AsyncGenerator<string> {
  let [count, last, hasMore] = [0, since, false];
  yield '{"success":true,"records":[';
  for await (const record of records) {
    hasMore = count === limit;
    if (hasMore) break;
    yield `${count === 0 ? '' : ','}${renderRecord(record)}`;
    count += 1;
    last = record.revision;
  }
  yield `],"next":${hasMore ? last : Math.max(last, end)},"hasMore":${hasMore}}`;
}

/** Writes records with one on each line. */
export async function* renderLines(
  records: AsyncIterable<StoredRecord>,
  most: number,
): AsyncGenerator<string> {
  yield* inPieces(first(records, most), (record) => `${renderRecord(record)}\n`);
}

/** Writes records as CSV with a header line. */
export async function* renderCsv(
  records: AsyncIterable<StoredRecord>,
  columns: readonly string[],
  most: number,
): AsyncGenerator<string> {
  const paths = columns.map((column) => column.split('.'));
  yield csvLine([...columns, ...Object.keys(ABOUT).map((name) => `_${name}`)].map(csvCell));
  yield* inPieces(first(records, most), (record) => {
    const values: unknown = JSON.parse(record.json);
    const cells = paths.map((names) => names.reduce<unknown>(memberOf, values));
    const about = Object.values(ABOUT).map((read) => read(record));
    return csvLine([...cells, ...about].map(csvCell));
  });
}

/**
 * Writes records as Parquet. They are read twice: the types of the columns follow from all values, never from the first rows.
 * A value that is changed between the two and does not fit is in `exactValues`.
 */
export async function* renderParquet(
  read: () => AsyncIterable<StoredRecord>,
  columns: readonly string[],
  most: number,
): AsyncGenerator<Uint8Array> {
  const paths = columns.map((column) => column.split('.'));
  const finder = new KindFinder(paths);
  const takeTurns = takingTurns();
  for await (const record of first(read(), most)) {
    finder.read(JSON.parse(record.json));
    await takeTurns();
  }
  const kinds = finder.kinds();
  const ofRecord = columns.map((name, index): ValueColumn => {
    return { name, kind: kinds[index] ?? 'any', path: ['record', ...(paths[index] ?? [])] };
  });
  const about = Object.keys(ABOUT).map((name): ValueColumn => {
    return { name: `_${name}`, kind: KINDS_ABOUT[name] ?? 'text', path: [name] };
  });
  yield* renderValuesAsParquet(inBatches(first(read(), most)), withOwnNames([...ofRecord, ...about]));
}

/** Kinds of the columns about each record that are not texts. */
const KINDS_ABOUT: Readonly<Record<string, ValueColumn['kind']>> = {
  revision: 'integer',
  firstSeen: 'datetime',
  lastSeen: 'datetime',
};

/** Columns about each record. */
const ABOUT: Readonly<Record<string, (record: StoredRecord) => string | number>> = {
  key: ({ key }) => key,
  op: opOf,
  revision: ({ revision }) => revision,
  firstSeen: ({ firstSeen }) => firstSeen.toISOString(),
  lastSeen: ({ lastSeen }) => lastSeen.toISOString(),
  url: ({ url }) => url,
  jobId: ({ jobId }) => jobId,
};

/** Writes a state of a record as JSON. */
export function renderVersion(version: StoredVersion): string {
  return `{${membersOf(version)}}`;
}

function renderRecord({ key, firstSeen, lastSeen, ...version }: StoredRecord): string {
  const times = JSON.stringify({ firstSeen, lastSeen }).slice(1, -1);
  return `{"key":${JSON.stringify(key)},${membersOf(version)},${times}}`;
}

/** Writes the members of a state; the contents are inserted as they are stored. */
function membersOf({ revision, json, url, jobId, changedAt, ...state }: StoredVersion): string {
  const first = JSON.stringify({ revision, op: opOf(state) }).slice(1, -1);
  return `${first},"record":${json},${JSON.stringify({ url, jobId, changedAt }).slice(1, -1)}`;
}

function opOf({ isGone }: Pick<StoredVersion, 'isGone'>): RecordOp {
  return isGone ? 'gone' : 'upsert';
}

async function* first(records: AsyncIterable<StoredRecord>, most: number): AsyncGenerator<StoredRecord> {
  let count = 0;
  for await (const record of records) {
    if (count >= most) return;
    yield record;
    count += 1;
  }
}

/** Yields the texts of records in groups. */
async function* inBatches(records: AsyncIterable<StoredRecord>): AsyncGenerator<readonly string[]> {
  const takeTurns = takingTurns();
  let [texts, characters]: [string[], number] = [[], 0];
  for await (const record of records) {
    const text = renderRecord(record);
    texts.push(text);
    characters += text.length;
    if (characters >= MAX_CHARACTERS) {
      yield texts;
      [texts, characters] = [[], 0];
    }
    await takeTurns();
  }
  yield texts;
}

/** Renames columns with a name that is taken: `__key` beside a field `_key`. */
function withOwnNames(columns: readonly ValueColumn[]): ValueColumn[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    while (taken.has(name)) name = `_${name}`;
    taken.add(name);
    return { ...column, name };
  });
}

async function* inPieces(
  records: AsyncIterable<StoredRecord>,
  render: (record: StoredRecord) => string,
): AsyncGenerator<string> {
  const takeTurns = takingTurns();
  let piece = '';
  for await (const record of records) {
    piece += render(record);
    if (piece.length >= MAX_CHARACTERS) {
      yield piece;
      piece = '';
    }
    await takeTurns();
  }
  if (piece !== '') yield piece;
}
