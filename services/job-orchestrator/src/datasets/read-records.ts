import { LIMITS, type Warning } from '@gleaner/contracts';
import type { DatasetOfJob, FoundRecord } from '@gleaner/storage';
import { hashJson } from '../hash-json.ts';

/** A page whose records are kept. */
export type RecordPage = Pick<FoundRecord, 'jobId' | 'index' | 'attempt' | 'url'>;

/** Reasons for which a record is not kept. */
type Reason = 'KEY_MISSING' | 'RECORD_TOO_LARGE';

/** Nested records whose values are columns of their own. */
const MAX_COLUMN_DEPTH = 4;

/** Yields the records of a page in small steps, so that the caller can give turns: a record, or the reason why it is not kept. */
export function* readRecords(
  data: object,
  page: RecordPage,
  dataset: Pick<DatasetOfJob, 'rows' | 'key'>,
): Generator<FoundRecord | Reason> {
  for (const record of rowsOf(data, dataset)) {
    const key = keyOf(record, page, dataset);
    if (key === undefined) {
      yield 'KEY_MISSING';
      continue;
    }
    const json = JSON.stringify(record);
    const bytes = Buffer.byteLength(json);
    if (bytes > LIMITS.maxRecordBytes) {
      yield 'RECORD_TOO_LARGE';
      continue;
    }
    const columns = [...columnsOf(record, '', MAX_COLUMN_DEPTH)];
    yield { ...page, key, json, bytes, hash: hashJson(record).toString('base64url'), columns };
  }
}

/** Returns the keys of the records of a page. */
export function* readKeys(
  data: object,
  page: Pick<RecordPage, 'url'>,
  dataset: Pick<DatasetOfJob, 'rows' | 'key'>,
): Generator<string> {
  for (const record of rowsOf(data, dataset)) {
    const key = keyOf(record, page, dataset);
    if (key !== undefined) yield key;
  }
}

/** Returns the warnings of a page about records that are not kept. */
export function warningsOf(
  counts: Readonly<Record<Reason, number>>,
  { name, rows, key = [] }: Pick<DatasetOfJob, 'name' | 'rows' | 'key'>,
): Warning[] {
  const because: Readonly<Record<Reason, string>> = {
    KEY_MISSING: `without a value of ${key.join(', ')}, or with one of more than ${LIMITS.maxDatasetKeyBytes} bytes`,
    RECORD_TOO_LARGE: `of more than ${LIMITS.maxRecordBytes / 1024} KiB as JSON`,
  };
  return (['KEY_MISSING', 'RECORD_TOO_LARGE'] as const).flatMap((code) => {
    const count = counts[code];
    if (count === 0) return [];
    const subject = count === 1 ? '1 record' : `${count} records`;
    const message = `${subject} ${because[code]}: not kept in the dataset "${name}".`;
    return [{ ...(rows !== undefined && { field: rows }), code, message }];
  });
}

/** Returns the records of a page: those of the list, or the page itself. */
function rowsOf(data: object, { rows }: Pick<DatasetOfJob, 'rows'>): readonly object[] {
  return rows === undefined ? [data] : valuesAt(data, rows.split('.')).filter(isRecord);
}

/** Returns the values at a path, those of every record of lists on the way. */
function valuesAt(value: unknown, names: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, names));
  const [name, ...rest] = names;
  if (name === undefined) return [value];
  return isRecord(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/** Returns the key of a record as text; undefined if a part of it is missing or too long. */
function keyOf(
  record: object,
  { url }: Pick<RecordPage, 'url'>,
  { key }: Pick<DatasetOfJob, 'key'>,
): string | undefined {
  if (key === undefined) return Buffer.byteLength(url) > LIMITS.maxUrlLength ? undefined : url;
  const parts = key.map((path) => keyPartOf(record, path));
  if (parts.some((part) => part === undefined)) return undefined;
  return parts.length === 1 ? parts[0] : JSON.stringify(parts);
}

function keyPartOf(record: object, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), record);
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isText ? String(value).trim() : '';
  return text === '' || Buffer.byteLength(text) > LIMITS.maxDatasetKeyBytes ? undefined : text;
}

function* columnsOf(
  record: Readonly<Record<string, unknown>> | object,
  outer: string,
  depth: number,
): Generator<string> {
  for (const [name, value] of Object.entries(record)) {
    if (value === null) continue;
    if (isRecord(value) && depth > 1) yield* columnsOf(value, `${outer}${name}.`, depth - 1);
    else yield outer + name;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
