import type { ParquetWriter } from 'hyparquet-writer';
import type { ColumnKind } from '../columns/column-kind.ts';
import type { Column } from '../columns/field-columns.ts';
import type { Table } from '../columns/rows.ts';

/** A value as a file stores it. */
export type Stored = Uint8Array | number | bigint | boolean;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Type of the values of a column in a file. */
interface Storage {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Returns the value as it is stored; undefined for one that the type does not hold exactly. */
  readonly store: (value: unknown) => Stored | undefined;
}

const UTF8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const DAY_MS = 24 * 3600 * 1000;

/** Types of columns by the kind of their values. */
export const STORAGE: Readonly<Record<ColumnKind, Storage>> = {
  text: {
    element: UTF8,
    store: (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  },
  any: { element: UTF8, store: (value) => Buffer.from(JSON.stringify(value)) },
  number: {
    element: { type: 'DOUBLE' },
    store: (value) => (typeof value === 'number' ? value : undefined),
  },
  integer: {
    element: { type: 'INT64' },
    store: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : undefined),
  },
  boolean: {
    element: { type: 'BOOLEAN' },
    store: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    store: (value) => {
      const time = timeOf(value, /^\d{4}-\d{2}-\d{2}$/);
      return time === undefined ? undefined : time / DAY_MS;
    },
  },
  datetime: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    store: (value) => {
      const time = timeOf(value, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/);
      return time === undefined ? undefined : BigInt(time);
    },
  },
};

/** Returns a value as its column stores it; undefined for a missing one, and for one that the column does not hold exactly. */
export function store(value: unknown, { kind }: Column): Stored | undefined {
  return value === undefined || value === null ? undefined : STORAGE[kind].store(value);
}

/**
 * Adds a column of the values that the types of their columns do not hold exactly, such as numbers of many digits and defaults
 * of other types: an object by column, as JSON.
 */
export function withExactValues(table: Table): Table {
  const { columns } = table;
  const typed = columns.filter(({ kind }) => kind !== 'text' && kind !== 'any');
  if (typed.length === 0) return table;
  let name = 'exactValues';
  while (columns.some((column) => column.name === name)) name = `_${name}`;
  const exact: Column = {
    name,
    kind: 'any',
    read: (result) => {
      const values = typed.map((column) => [column, column.read(result)] as const);
      const kept = values.filter(
        ([column, value]) => value !== undefined && value !== null && store(value, column) === undefined,
      );
      if (kept.length === 0) return undefined;
      return Object.fromEntries(kept.map(([column, value]) => [column.name, value]));
    },
    isOfRow: typed.some(({ isOfRow }) => isOfRow),
    isOfPage: true,
  };
  return { ...table, columns: [...columns, exact] };
}

/** Returns the time of a text in ISO 8601; undefined for any other value, and for a day that its month has not. */
function timeOf(value: unknown, form: RegExp): number | undefined {
  if (typeof value !== 'string' || !form.test(value)) return undefined;
  const day = value.slice(0, 'yyyy-MM-dd'.length);
  const [midnight, time] = [Date.parse(day), Date.parse(value)];
  if (Number.isNaN(midnight) || Number.isNaN(time)) return undefined;
  return new Date(midnight).toISOString().startsWith(day) ? time : undefined;
}
