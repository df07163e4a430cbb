import { cloneValue } from '../bson/bson-codec.ts';
import { isDocument, isNumeric, typeName, typeOf } from '../bson/bson-types.ts';
import { areEqual, compareValues } from '../bson/compare-values.ts';
import { addNumbers, toDouble } from '../bson/numbers.ts';
import { MISSING, UNSET } from '../bson/paths.ts';
import { commandError } from '../command-error.ts';
import { compileElementFilter } from '../filter/compile-filter.ts';

/** A change of one value: gets the value or MISSING and returns the new value, UNSET, or MISSING for no change. */
export type Modify = (value: unknown) => unknown;

/** Update operators by name (https://www.mongodb.com/docs/manual/reference/mql/update/). */
export const MODIFIERS: Readonly<Record<string, (operand: unknown, path: string) => Modify>> = {
  $set: (operand) => () => cloneValue(operand),
  $setOnInsert: (operand) => () => cloneValue(operand),
  $unset: () => () => UNSET,
  $inc: makeIncrement,
  $min: (operand) => (value) =>
    value === MISSING || compareValues(operand, value) < 0 ? cloneValue(operand) : MISSING,
  $max: (operand) => (value) =>
    value === MISSING || compareValues(operand, value) > 0 ? cloneValue(operand) : MISSING,
  $push: makePush,
  $addToSet: makeAddToSet,
  $pull: makePull,
};

function makeIncrement(operand: unknown, path: string): Modify {
  if (!isNumeric(operand)) {
    throw commandError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`,
    );
  }
  return (value) => {
    if (value === MISSING) return operand;
    if (isNumeric(value)) return addNumbers(value, operand);
    throw commandError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. The field '${path}' is of type ${typeName(typeOf(value))}`,
    );
  };
}

/** `$push` of one value, or of `$each` of several, after which `$slice` keeps the first or the last. */
function makePush(operand: unknown, path: string): Modify {
  const { items, limit } = parsePush(operand);
  return (value) => {
    const before = value === MISSING ? [] : requireArray(value, '$push', path);
    const pushed = [...before, ...cloneValue(items)];
    if (limit === undefined) return pushed;
    return limit < 0 ? pushed.slice(limit) : pushed.slice(0, limit);
  };
}

function parsePush(operand: unknown): { items: unknown[]; limit: number | undefined } {
  if (!isDocument(operand) || !('$each' in operand)) return { items: [operand], limit: undefined };
  const unknown = Object.keys(operand).find((key) => key !== '$each' && key !== '$slice');
  if (unknown !== undefined) throw commandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  const { $each: items, $slice } = operand;
  if (!Array.isArray(items))
    throw commandError('BadValue', 'The argument to $each in $push must be an array');
  if ($slice === undefined) return { items, limit: undefined };
  const limit = isNumeric($slice) ? toDouble($slice) : Number.NaN;
  if (!Number.isInteger(limit))
    throw commandError('BadValue', 'The value for $slice must be an integer value');
  return { items, limit };
}

/** Makes `$addToSet`, with or without `$each`. */
function makeAddToSet(operand: unknown, path: string): Modify {
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

/** Makes `$pull`: removes the elements equal to a value, or matched by a document of conditions. */
function makePull(operand: unknown, path: string): Modify {
  const test = isDocument(operand)
    ? compileElementFilter(operand)
    : (element: unknown) => areEqual(element, operand);
  return (value) =>
    value === MISSING ? MISSING : requireArray(value, '$pull', path).filter((element) => !test(element));
}

/** Returns the array at a path. Throws BadValue, naming the operator, for any other value. */
function requireArray(value: unknown, operator: string, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw commandError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeName(typeOf(value))} (${operator})`,
  );
}
