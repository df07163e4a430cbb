import { cloneValue } from '../bson/bson-codec.ts';
import { BsonType, type Doc, isDocument, isNumeric, typeName, typeOf } from '../bson/bson-types.ts';
import { areEqual, compareValues } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { commandError } from '../errors/command-error.ts';
import type { ValueTest } from '../filter/predicates.ts';
import { parseSort, sortKey } from '../keys/parse-sort.ts';
import { MISSING } from '../paths/match-path.ts';

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

/** Makes `$addToSet`, with or without `$each`. */
export function makeAddToSet(operand: unknown, path: string): (value: unknown) => unknown {
  const added = isDocument(operand) && '$each' in operand ? operand.$each : [operand];
  if (!Array.isArray(added))
    throw commandError('TypeMismatch', 'The argument to $each in $addToSet must be an array');
  return (value) => {
    const array = value === MISSING ? [] : [...requireArray(value, '$addToSet', path)];
    for (const item of added) {
      if (!array.some((element) => areEqual(element, item))) array.push(cloneValue(item));
    }
    return array;
  };
}

/** Makes `$pop`, which removes the first or the last element. */
export function makePop(operand: unknown, path: string): (value: unknown) => unknown {
  const end = isNumeric(operand) ? Number(String(operand)) : Number.NaN;
  if (end !== 1 && end !== -1)
    throw commandError('FailedToParse', `$pop expects 1 or -1, found: ${String(operand)}`);
  return (value) => {
    if (value === MISSING) return MISSING;
    const array = requireTypedArray(value, path);
    return end === 1 ? array.slice(0, -1) : array.slice(1);
  };
}

function requireTypedArray(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw commandError(
    'TypeMismatch',
    `Path '${path}' contains an element of non-array type '${typeName(typeOf(value))}'`,
  );
}

/** `$pull`: "if <value> is a document, $pull removes only the elements that have the exact same fields and values" or match. */
export function makePull(
  operand: unknown,
  path: string,
  compileElement: (criteria: Doc) => ValueTest,
): (value: unknown) => unknown {
  const test = isDocument(operand)
    ? compileElement(operand)
    : typeOf(operand) === BsonType.regex
      ? compileElement({ $in: [operand] })
      : (element: unknown) => areEqual(element, operand);
  return (value) =>
    value === MISSING ? MISSING : requireArray(value, '$pull', path).filter((element) => !test(element));
}

/** Makes `$pullAll`, which removes every element equal to one of the given values. */
export function makePullAll(operand: unknown, path: string): (value: unknown) => unknown {
  if (!Array.isArray(operand)) throw commandError('BadValue', '$pullAll requires an array argument');
  return (value) => {
    if (value === MISSING) return MISSING;
    return requireArray(value, '$pullAll', path).filter(
      (element) => !operand.some((item) => areEqual(item, element)),
    );
  };
}

/** Returns the array at a path. Throws BadValue, naming the operator, for any other value. */
function requireArray(value: unknown, operator: string, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw commandError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeName(typeOf(value))} (${operator})`,
  );
}
