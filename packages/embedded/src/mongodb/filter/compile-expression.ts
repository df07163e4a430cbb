import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric, isTrue, typeName, typeOf } from '../bson/bson-types.ts';
import { areEqual, compareValues } from '../bson/compare-values.ts';
import { addWidening, negate, toDouble } from '../bson/numbers.ts';
import { type CommandError, commandError, locationError } from '../command-error.ts';

/** The value of an expression for a document, and for the element of an array that `$$this` stands for. */
export type Expression = (document: Doc, element?: unknown) => unknown;

/**
 * Compiles an aggregation expression; a path that leads to nothing has the value undefined. Throws
 * InvalidPipelineOperator for an operator that is not served.
 */
export function compileExpression(expression: unknown): Expression {
  if (typeof expression === 'string') {
    return expression.startsWith('$') ? compilePath(expression) : () => expression;
  }
  if (Array.isArray(expression)) {
    const items = expression.map(compileExpression);
    return (document, element) => items.map((item) => item(document, element) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const keys = Object.keys(expression);
  const operator = keys[0];
  if (operator?.startsWith('$') !== true) return compileFields(expression);
  if (keys.length > 1)
    throw locationError(15983, `an expression must have exactly one field, found ${keys.join(', ')}`);
  const make = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (make === undefined)
    throw commandError('InvalidPipelineOperator', `Unrecognized expression '${operator}'`);
  return make(expression[operator]);
}

/** Returns the sum of the numbers among values; others do not count. */
export function sumOf(values: readonly unknown[]): unknown {
  return values.filter(isNumeric).reduce((sum, value) => addWidening(sum, value), 0);
}

/** Returns the greatest of values, or with sign -1 the least; null and missing ones do not count. */
export function extremeOf(values: readonly unknown[], sign: 1 | -1): unknown {
  return values.reduce<unknown>((best, value) => {
    if (value === null || value === undefined) return best;
    return best === null || compareValues(value, best) * sign > 0 ? value : best;
  }, null);
}

function compilePath(path: string): Expression {
  if (!path.startsWith('$$')) {
    const parts = path.slice(1).split('.');
    return (document) => resolvePath(document, parts);
  }
  const [name, ...parts] = path.slice(2).split('.');
  if (name !== 'this') throw locationError(17276, `Use of undefined variable: ${name}`);
  return (_, element) => resolvePath(element, parts);
}

/** Returns the value of a dotted path: arrays along the path are mapped, and missing values are left out. */
function resolvePath(value: unknown, parts: readonly string[], depth = 0): unknown {
  if (depth === parts.length) return value;
  if (Array.isArray(value)) {
    return value.map((element) => resolvePath(element, parts, depth)).filter((found) => found !== undefined);
  }
  const part = parts[depth] as string;
  return isDocument(value) && Object.hasOwn(value, part)
    ? resolvePath(value[part], parts, depth + 1)
    : undefined;
}

function compileFields(fields: Doc): Expression {
  const compiled = Object.entries(fields).map(([key, field]) => [key, compileExpression(field)] as const);
  return (document, element) => {
    const result: Doc = {};
    for (const [key, field] of compiled) {
      const value = field(document, element);
      if (value !== undefined) setField(result, key, value);
    }
    return result;
  };
}

/** Operators by name: https://www.mongodb.com/docs/manual/reference/mql/expressions/ */
export const OPERATORS: Readonly<Record<string, (argument: unknown) => Expression>> = {
  $literal: (argument) => () => argument,
  $eq: comparison('$eq', (order) => order === 0),
  $gt: comparison('$gt', (order) => order > 0),
  $gte: comparison('$gte', (order) => order >= 0),
  $lt: comparison('$lt', (order) => order < 0),
  $lte: comparison('$lte', (order) => order <= 0),
  $in: operator('$in', 2, ([value, list]) =>
    arrayOr(list, 40081, '$in requires an array as a second argument').some((item) => areEqual(item, value)),
  ),
  $and: (argument) => {
    const conditions = operandsOf(argument).map(compileExpression);
    return (document, element) => conditions.every((condition) => isTrue(condition(document, element)));
  },
  $not: operator('$not', 1, ([value]) => !isTrue(value)),
  $cond: (argument) => {
    const [condition, yes, no] = exactly('$cond', 3, argument) as [Expression, Expression, Expression];
    return (document, element) => (isTrue(condition(document, element)) ? yes : no)(document, element);
  },
  $ifNull: operator('$ifNull', 2, ([value, other]) => value ?? other),
  $type: operator('$type', 1, ([value]) => (value === undefined ? 'missing' : typeName(typeOf(value)))),
  $add: operator('$add', undefined, (values) => arithmetic('$add', values, addWidening)),
  $subtract: operator('$subtract', 2, (values) =>
    arithmetic('$subtract', values, (left, right) => addWidening(left, negate(right))),
  ),
  $sum: accumulation(sumOf),
  $min: accumulation((values) => extremeOf(values, -1)),
  $max: accumulation((values) => extremeOf(values, 1)),
  $size: operator(
    '$size',
    1,
    ([list]) => arrayOr(list, 17124, 'The argument to $size must be an array').length,
  ),
  $slice: operator('$slice', 2, ([list, count]) => {
    if (list === null || list === undefined) return null;
    const items = arrayOr(list, 28724, 'First argument to $slice must be an array');
    if (!isNumeric(count)) throw locationError(28725, 'Second argument to $slice must be a numeric value');
    const limit = toDouble(count);
    return limit < 0 ? items.slice(limit) : items.slice(0, limit);
  }),
  $concatArrays: operator('$concatArrays', undefined, (lists) => {
    if (lists.some((list) => list === null || list === undefined)) return null;
    return lists.flatMap((list) => arrayOr(list, 28664, '$concatArrays only supports arrays'));
  }),
  $filter: overElements('$filter', 'cond', { errorCodes: [28646, 28647, 28651] }, (items, condition) =>
    items.filter((item) => isTrue(condition(item))),
  ),
  $map: overElements('$map', 'in', { errorCodes: [16878, 16879, 16883] }, (items, make) =>
    items.map((item) => make(item) ?? null),
  ),
};

function operandsOf(argument: unknown): readonly unknown[] {
  return Array.isArray(argument) ? argument : [argument];
}

/** Compiles the operands of an operator. Throws 16020 when it takes another number of them. */
function exactly(name: string, count: number | undefined, argument: unknown): Expression[] {
  const given = operandsOf(argument);
  if (count !== undefined && given.length !== count) {
    throw locationError(
      16020,
      `Expression ${name} takes exactly ${count} arguments. ${given.length} were passed in.`,
    );
  }
  return given.map(compileExpression);
}

/** Makes an operator that is a function of the values of its operands. */
function operator(
  name: string,
  count: number | undefined,
  apply: (values: readonly unknown[]) => unknown,
): (argument: unknown) => Expression {
  return (argument) => {
    const operands = exactly(name, count, argument);
    return (document, element) => apply(operands.map((operand) => operand(document, element)));
  };
}

function comparison(name: string, accepts: (order: number) => boolean) {
  return operator(name, 2, ([left, right]) => accepts(compareValues(left, right)));
}

/** "With a single expression as its operand, if it resolves to an array, traverses into the array." */
function accumulation(fold: (values: readonly unknown[]) => unknown) {
  return operator('', undefined, (values) => {
    const [first] = values;
    return fold(values.length === 1 && Array.isArray(first) ? first : values);
  });
}

function arithmetic(
  name: string,
  values: readonly unknown[],
  combine: (left: unknown, right: unknown) => unknown,
): unknown {
  if (values.some((value) => value === null || value === undefined)) return null;
  const other = values.find((value) => !isNumeric(value));
  if (other !== undefined)
    throw commandError('TypeMismatch', `${name} only supports numeric types, not ${typeName(typeOf(other))}`);
  return values.reduce(combine);
}

function arrayOr(value: unknown, code: number, message: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw typeError(value, code, message);
}

function typeError(value: unknown, code: number, message: string): CommandError {
  return locationError(code, `${message}, not ${value === undefined ? 'missing' : typeName(typeOf(value))}`);
}

/** Makes an operator over the elements of `input`, each of which is `$$this` in the expression that the field holds. */
function overElements(
  name: string,
  field: string,
  {
    errorCodes: [notAnObject, unknownParameter, notAList],
  }: { errorCodes: readonly [number, number, number] },
  apply: (items: readonly unknown[], evaluate: (item: unknown) => unknown) => unknown[],
): (argument: unknown) => Expression {
  return (argument) => {
    if (!isDocument(argument))
      throw typeError(argument, notAnObject, `${name} only supports an object as its argument`);
    const other = Object.keys(argument).find((key) => key !== 'input' && key !== field);
    if (other !== undefined)
      throw locationError(unknownParameter, `Unrecognized parameter to ${name}: ${other}`);
    const input = compileExpression(argument.input);
    const evaluate = compileExpression(argument[field]);
    return (document, element) => {
      const list = input(document, element);
      if (list === null || list === undefined) return null;
      const items = arrayOr(list, notAList, `input to ${name} must be an array`);
      return apply(items, (item) => evaluate(document, item));
    };
  };
}
