import { type Doc, isNumeric } from '../bson/bson-types.ts';
import { compareValues } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numbers.ts';
import { MISSING, someAtPath } from '../bson/paths.ts';
import { locationError } from '../command-error.ts';
import { encodeKey } from './encode-key.ts';

/** A field to sort by. */
export interface SortField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

/** The fields of a sort document. Throws as MongoDB does for directions other than 1 and -1. */
export function parseSort(sort: Doc): SortField[] {
  return Object.entries(sort).map(([path, value]) => {
    const direction = isNumeric(value) ? toDouble(value) : Number.NaN;
    if (direction !== 1 && direction !== -1) {
      throw locationError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    const parts = path.split('.');
    if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
    return { path, parts, direction };
  });
}

/** Returns bytes that order documents by the sort fields; an array sorts by its least element, or its greatest when descending. */
export function sortKey(document: unknown, sort: readonly SortField[]): Buffer {
  const values = sort.map((field) => sortValue(document, field));
  return encodeKey(
    values,
    sort.map((field) => field.direction),
  );
}

function sortValue(document: unknown, { parts, direction }: SortField): unknown {
  let best: unknown;
  let isFound = false;
  const offer = (value: unknown) => {
    if (!isFound || compareValues(value, best) * direction < 0) best = value;
    isFound = true;
  };
  someAtPath(document, parts, (value) => {
    if (!Array.isArray(value)) offer(value === MISSING ? null : value);
    else if (value.length === 0) offer(undefined);
    else value.forEach(offer);
    return false;
  });
  return isFound ? best : null;
}
