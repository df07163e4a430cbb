import type { Dataset, DatasetRecord } from '@gleaner/client';

/** Returns records as rows under the columns of their dataset; with `op` for all of them, whether each is there. */
export function recordRows(
  records: readonly Pick<DatasetRecord, 'key' | 'op' | 'record' | 'changedAt'>[],
  { key, columns }: Pick<Dataset, 'key' | 'columns'>,
  op: string,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] } {
  const isByUrl = key.length === 0;
  const head = [...(op === '' ? ['op'] : []), ...(isByUrl ? ['key'] : []), ...columns, 'changed'];
  const rows = records.map(({ key: text, op: own, record, changedAt }) => [
    ...(op === '' ? [own] : []),
    ...(isByUrl ? [text] : []),
    ...columns.map((column) => valueAt(record, column)),
    changedAt,
  ]);
  return { columns: head, rows };
}

function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return isThere ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }, record);
}
