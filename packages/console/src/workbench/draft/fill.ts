import type { ResultOf } from '@gleaner/client';
import type { Column, Draft } from './draft.ts';

/** Values of a snapshot as the service returns them. */
export type Extracted = Omit<ResultOf<'extractSnapshot'>, 'success'>;

/** Number of records that have a value. */
export interface Fill {
  readonly filled: number;
  readonly total: number;
  /** True for a value of the page, of which there is one. */
  readonly isSingle: boolean;
  /** First values that differ. */
  readonly samples: readonly unknown[];
}

const MAX_SAMPLES = 3;

/** Returns the records of the list in the values; none where it has no name yet. */
export function recordsIn({ data }: Extracted, { list }: Draft): readonly unknown[] {
  const records = list && data?.[list.name.trim()];
  return Array.isArray(records) ? records : [];
}

/** Returns the fill of a column of the list, or of a single value. */
export function fillOf(extracted: Extracted, draft: Draft, { key, name }: Column): Fill {
  const isOfList = draft.list?.columns.some((column) => column.key === key) ?? false;
  const values = isOfList
    ? recordsIn(extracted, draft).map((record) => valueIn(record, name.trim()))
    : [extracted.data?.[name.trim()]];
  const present = values.filter(isFilled);
  const samples = [...new Map(present.map((value) => [JSON.stringify(value), value])).values()];
  return {
    filled: present.length,
    total: values.length,
    isSingle: !isOfList,
    samples: samples.slice(0, MAX_SAMPLES),
  };
}

/** Returns a fill in words: `11 of 12`. */
export function describeFill({ filled, total, isSingle }: Fill): string {
  if (isSingle) return filled > 0 ? 'found' : 'missing';
  if (total === 0) return 'no records';
  return filled === total ? `all ${total}` : `${filled} of ${total}`;
}

function valueIn(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? (record as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

const MAX_CHARACTERS = 80;

/** Returns a value as a short text; objects and lists as JSON. */
export function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
