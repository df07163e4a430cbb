import type { FieldType } from '@gleaner/contracts';
import type { PlannedField } from '@gleaner/extraction';

/** Kind of the values of a column, known from the selectors: `any` value of JSON, or values of one type. */
export type ColumnKind = 'text' | 'any' | 'number' | 'integer' | 'boolean' | 'date' | 'datetime';

/** Returns the kind of one value of a field; a value of JSON without a type may be anything. */
export function kindOf({ steps }: PlannedField): ColumnKind {
  if (steps?.type) return KINDS[steps.type];
  return steps?.json && steps.pattern === null ? 'any' : 'text';
}

const KINDS: Readonly<Record<FieldType, ColumnKind>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  price: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  url: 'text',
  json: 'any',
  table: 'any',
  rows: 'any',
  markdown: 'text',
  count: 'integer',
};
