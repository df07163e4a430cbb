import { ObjectId } from 'bson';
import { Context, evalExpr } from 'mingo/core';
import * as accumulators from 'mingo/operators/accumulator';
import * as expressions from 'mingo/operators/expression';
import type { Any, Options } from 'mingo/types';
import { BsonType, type Doc, isNumeric, typeName, typeOf } from '../bson/bson-types.ts';
import { areEqual, compareValues } from '../bson/compare-values.ts';
import { isTrue } from '../bson/is-true.ts';
import { commandError, locationError, notServed } from '../errors/command-error.ts';
import { ACCUMULATORS } from './accumulators.ts';
import { toMingo } from './to-mingo.ts';

type Operator = (object: Any, argument: Any, options: Options) => Any;

/** Operators whose mingo form does not know BSON's types, order or truth. */
const CORRECTED: Readonly<Record<string, Operator>> = {
  $cmp: comparison((order) => Math.sign(order)),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $and: (object, argument, options) =>
    operands(argument).every((item) => isTrue(evalExpr(object, item, options))),
  $or: (object, argument, options) =>
    operands(argument).some((item) => isTrue(evalExpr(object, item, options))),
  $not: (object, argument, options) => !isTrue(evalExpr(object, operands(argument)[0], options)),
  $cond: evaluateCondition,
  $in: evaluateIn,
  $type: (object, argument, options) => {
    const value = evalExpr(object, argument, options);
    return value === undefined ? 'missing' : typeName(typeOf(value));
  },
  $isNumber: (object, argument, options) => isNumeric(evalExpr(object, operands(argument)[0], options)),
  $sum: accumulation('$sum'),
  $avg: accumulation('$avg'),
  $min: accumulation('$min'),
  $max: accumulation('$max'),
  $toDecimal: () => {
    throw notServed('$toDecimal');
  },
  $toObjectId: (object, argument, options) => toObjectId(evalExpr(object, argument, options)),
};

const REFUSED = new Set(['$function', '$accumulator']);

const OPERATORS: Readonly<Record<string, unknown>> = { ...accumulators, ...expressions, ...CORRECTED };

/** mingo's operators, with ours overriding some of them. */
export const EXPRESSION_CONTEXT = Context.init({
  accumulator: { ...accumulators } as never,
  expression: { ...expressions, ...CORRECTED } as never,
});

/** Returns whether expressions may use the operator; server-side JavaScript is refused as by `--noscripting`. */
export function isExpressionOperator(name: string): boolean {
  if (REFUSED.has(name)) throw locationError(31264, `${name} not supported without scripting enabled`);
  return Object.hasOwn(OPERATORS, name);
}

/** Returns whether `$group` may use the operator. */
export function isAccumulator(name: string): boolean {
  if (REFUSED.has(name)) throw locationError(31264, `${name} not supported without scripting enabled`);
  return Object.hasOwn(accumulators, name);
}

/** "With a single expression as its operand, if it resolves to an array, traverses into the array." */
function accumulation(name: '$sum' | '$avg' | '$min' | '$max'): Operator {
  return (object, argument, options) => {
    const value = evalExpr(object, argument, options);
    const isSingle = Array.isArray(argument) && argument.length === 1 && Array.isArray(value);
    const operand: unknown = isSingle ? (value as unknown[])[0] : value;
    const accumulator = ACCUMULATORS[name]((document) => document.value);
    for (const item of operands(operand)) accumulator.add({ value: item });
    return toMingo(accumulator.result());
  };
}

function comparison(decide: (order: number) => unknown): Operator {
  return (object, argument, options) => {
    const [left, right] = evaluatePair(object, argument, options);
    return decide(compareValues(left, right));
  };
}

function evaluatePair(object: Any, argument: Any, options: Options): [unknown, unknown] {
  if (!Array.isArray(argument) || argument.length !== 2) {
    throw locationError(16020, 'a comparison expression takes exactly 2 arguments');
  }
  return [evalExpr(object, argument[0], options), evalExpr(object, argument[1], options)];
}

function operands(argument: Any): readonly unknown[] {
  return Array.isArray(argument) ? argument : [argument];
}

const CONDITION_PARTS = ['if', 'then', 'else'];

function evaluateCondition(object: Any, argument: Any, options: Options): unknown {
  const [condition, yes, no] = Array.isArray(argument)
    ? argument
    : CONDITION_PARTS.map((part) => (argument as Doc)[part]);
  return evalExpr(object, isTrue(evalExpr(object, condition, options)) ? yes : no, options);
}

function evaluateIn(object: Any, argument: Any, options: Options): boolean {
  const [value, list] = evaluatePair(object, argument, options);
  if (!Array.isArray(list)) {
    throw locationError(
      40081,
      `$in requires an array as a second argument, found: ${typeName(typeOf(list))}`,
    );
  }
  return list.some((item) => areEqual(item, value));
}

function toObjectId(value: unknown): unknown {
  if (value === null || value === undefined || typeOf(value) === BsonType.objectId) return value ?? null;
  if (typeof value === 'string' && ObjectId.isValid(value)) return ObjectId.createFromHexString(value);
  throw commandError(
    'BadValue',
    `Failed to parse objectId '${String(value)}' in $convert with no onError value`,
  );
}
