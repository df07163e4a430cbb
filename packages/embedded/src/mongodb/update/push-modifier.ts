import { cloneValue } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { compareValues } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { commandError } from '../errors/command-error.ts';
import { MISSING } from '../query/match-path.ts';
import { parseSort, sortKey } from '../query/parse-sort.ts';
import { requireArray } from './modifiers.ts';

const MODIFIERS = new Set(['$each', '$slice', '$sort', '$position']);

/** `$push` with its modifiers, applied as documented: insert at the position, then sort, then slice. */
export function makePush(operand: unknown, path: string): (value: unknown) => unknown {
  const { items, position, sort, slice } = parsePush(operand);
  return (value) => {
    const before = value === MISSING ? [] : requireArray(value, '$push', path);
    const at =
      position === undefined
        ? before.length
        : position < 0
          ? Math.max(0, before.length + position)
          : position;
    const pushed = [...before.slice(0, at), ...cloneValue(items), ...before.slice(at)];
    return slice(sort(pushed));
  };
}

function parsePush(operand: unknown) {
  const keep = (values: unknown[]) => values;
  if (!isDocument(operand) || !('$each' in operand)) {
    return { items: [operand], position: undefined, sort: keep, slice: keep };
  }
  const unknown = Object.keys(operand).find((key) => !MODIFIERS.has(key));
  if (unknown !== undefined) throw commandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  const { $each: items, $position, $slice, $sort } = operand;
  if (!Array.isArray(items))
    throw commandError('BadValue', 'The argument to $each in $push must be an array');
  const position = $position === undefined ? undefined : integerOperand('$position', $position);
  const limit = $slice === undefined ? undefined : integerOperand('$slice', $slice);
  return {
    items,
    position,
    sort: $sort === undefined ? keep : makeSorter($sort),
    slice: limit === undefined ? keep : makeSlicer(limit),
  };
}

function integerOperand(name: string, value: unknown): number {
  const number = isNumeric(value) ? toDouble(value) : Number.NaN;
  if (!Number.isInteger(number))
    throw commandError('BadValue', `The value for ${name} must be an integer value`);
  return number;
}

function makeSlicer(limit: number): (values: unknown[]) => unknown[] {
  return (values) => (limit < 0 ? values.slice(limit) : values.slice(0, limit));
}

function makeSorter(order: unknown): (values: unknown[]) => unknown[] {
  if (isNumeric(order)) {
    const direction = toDouble(order);
    if (direction !== 1 && direction !== -1)
      throw commandError('BadValue', 'The $sort element value must be either 1 or -1');
    return (values) => values.sort((a, b) => direction * compareValues(a, b));
  }
  if (!isDocument(order))
    throw commandError(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1}',
    );
  const fields = parseSort(order as Doc);
  return (values) =>
    values
      .map((value) => ({ value, key: sortKey(value, fields) }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
      .map(({ value }) => value);
}
