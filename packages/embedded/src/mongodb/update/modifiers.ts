import { Long, Timestamp } from 'bson';
import { cloneValue } from '../bson/bson-codec.ts';
import { BsonType, type Doc, isDocument, isNumeric, typeName, typeOf } from '../bson/bson-types.ts';
import { compareValues } from '../bson/compare-values.ts';
import { addNumbers, integerOf, makeInteger, multiplyNumbers } from '../bson/numeric-arithmetic.ts';
import { commandError } from '../errors/command-error.ts';
import type { ValueTest } from '../filter/predicates.ts';
import { MISSING } from '../paths/match-path.ts';
import { UNSET } from '../paths/update-path.ts';
import { makeAddToSet, makePop, makePull, makePullAll, makePush } from './array-modifiers.ts';

/** Inputs of a modifier besides its operand. */
export interface ModifierContext {
  readonly now: Date;
  readonly compileElement: (criteria: Doc) => ValueTest;
}

/** A change of one value: gets the value or MISSING and returns the new value, UNSET, or MISSING for no change. */
export type Modify = (value: unknown) => unknown;

type MakeModifier = (operand: unknown, path: string, context: ModifierContext) => Modify;

/** Update operators by name (https://www.mongodb.com/docs/manual/reference/operator/update/); `$rename` is apart. */
export const MODIFIERS: Readonly<Record<string, MakeModifier>> = {
  $set: (operand) => () => cloneValue(operand),
  $setOnInsert: (operand) => () => cloneValue(operand),
  $unset: () => () => UNSET,
  $inc: (operand, path) => makeArithmetic('increment', operand, path, addNumbers),
  $mul: (operand, path) => makeArithmetic('multiply', operand, path, multiplyNumbers, 0),
  $min: (operand) => (value) =>
    value === MISSING || compareValues(operand, value) < 0 ? cloneValue(operand) : MISSING,
  $max: (operand) => (value) =>
    value === MISSING || compareValues(operand, value) > 0 ? cloneValue(operand) : MISSING,
  $currentDate: (operand, path, { now }) => makeCurrentDate(operand, path, now),
  $push: (operand, path) => makePush(operand, path),
  $addToSet: (operand, path) => makeAddToSet(operand, path),
  $pop: (operand, path) => makePop(operand, path),
  $pull: (operand, path, { compileElement }) => makePull(operand, path, compileElement),
  $pullAll: (operand, path) => makePullAll(operand, path),
  $bit: (operand, path) => makeBit(operand, path),
};

function makeArithmetic(
  verb: string,
  operand: unknown,
  path: string,
  combine: (left: unknown, right: unknown) => unknown,
  identity?: number,
): Modify {
  if (!isNumeric(operand)) {
    throw commandError(
      'TypeMismatch',
      `Cannot ${verb} with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`,
    );
  }
  return (value) => {
    if (value === MISSING) return identity === undefined ? operand : combine(identity, operand);
    if (!isNumeric(value)) {
      throw commandError(
        'TypeMismatch',
        `Cannot apply $${verb === 'increment' ? 'inc' : 'mul'} to a value of non-numeric type. The field '${path}' is of type ${typeName(typeOf(value))}`,
      );
    }
    return combine(value, operand);
  };
}

function makeCurrentDate(operand: unknown, path: string, now: Date): Modify {
  const kind = isDocument(operand) ? operand.$type : operand;
  if (kind === 'timestamp') {
    const timestamp = new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
    return () => timestamp;
  }
  if (kind === 'date' || typeof kind === 'boolean') return () => now;
  throw commandError('BadValue', `'${path}': $currentDate takes a boolean or {$type: 'date' | 'timestamp'}`);
}

const BIT_OPERATIONS: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  and: (left, right) => left & right,
  or: (left, right) => left | right,
  xor: (left, right) => left ^ right,
};

function makeBit(operand: unknown, path: string): Modify {
  if (!isDocument(operand) || Object.keys(operand).length === 0) {
    throw commandError('BadValue', `The $bit modifier takes {and|or|xor: <integer>} for '${path}'`);
  }
  const steps = Object.entries(operand).map(([name, mask]) => {
    const operation = BIT_OPERATIONS[name];
    if (operation === undefined)
      throw commandError('BadValue', `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    if (!isInteger(mask))
      throw commandError('BadValue', `The $bit modifier field must be an Integer(32/64 bit) for '${path}'`);
    return { operation, mask };
  });
  return (value) => {
    const start = value === MISSING ? 0 : value;
    if (!isInteger(start))
      throw commandError('BadValue', `Cannot apply $bit to a value of non-integral type at '${path}'`);
    const result = steps.reduce(
      (bits, { operation, mask }) => operation(bits, integerOf(mask)),
      integerOf(start),
    );
    const isLong = start instanceof Long || steps.some(({ mask }) => mask instanceof Long);
    return makeInteger(result, isLong);
  };
}

function isInteger(value: unknown): boolean {
  const type = typeOf(value);
  return type === BsonType.int || type === BsonType.long;
}
