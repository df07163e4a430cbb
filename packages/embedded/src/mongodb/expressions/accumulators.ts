import { Decimal128 } from 'bson';
import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { compareValues } from '../bson/compare-values.ts';
import { addNumbers, makeDouble } from '../bson/numeric-arithmetic.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { locationError } from '../errors/command-error.ts';
import { encodeKey } from '../keys/encode-key.ts';

/** Takes the documents of one group, one after the other. */
export interface Accumulator {
  add(document: Doc): void;
  result(): unknown;
}

type Evaluate = (document: Doc) => unknown;

/** Accumulators that know BSON's types and order (https://www.mongodb.com/docs/manual/reference/operator/aggregation/group/). */
export const ACCUMULATORS = {
  $sum: (evaluate) =>
    fold<unknown>(evaluate, 0, (sum, value) => (isNumeric(value) ? addWidening(sum, value) : sum)),
  $count: () =>
    fold<number>(
      () => null,
      0,
      (count) => count + 1,
    ),
  $avg: average,
  $min: (evaluate) => extreme(evaluate, -1),
  $max: (evaluate) => extreme(evaluate, 1),
  $first: firstValue,
  $last: (evaluate) => fold<unknown>(evaluate, null, (_, value) => value ?? null),
  $push: (evaluate) =>
    fold<unknown[]>(evaluate, [], (list, value) => {
      if (value !== undefined) list.push(value);
      return list;
    }),
  $addToSet: addToSet,
  $mergeObjects: (evaluate) => fold<Doc>(evaluate, {}, mergeInto),
} satisfies Readonly<Record<string, (evaluate: Evaluate) => Accumulator>>;

function fold<T>(evaluate: Evaluate, start: T, step: (state: T, value: unknown) => T): Accumulator {
  let state = start;
  return {
    add: (document) => {
      state = step(state, evaluate(document));
    },
    result: () => state,
  };
}

/** 64-bit sums that overflow go on as doubles, as in MongoDB. */
function addWidening(left: unknown, right: unknown): unknown {
  try {
    return addNumbers(left, right);
  } catch {
    return makeDouble(toDouble(left) + toDouble(right));
  }
}

function average(evaluate: Evaluate): Accumulator {
  let sum: unknown = 0;
  let count = 0;
  return {
    add: (document) => {
      const value = evaluate(document);
      if (!isNumeric(value)) return;
      sum = addWidening(sum, value);
      count++;
    },
    result: () => {
      if (count === 0) return null;
      const mean = toDouble(sum) / count;
      return sum instanceof Decimal128 ? Decimal128.fromString(String(mean)) : makeDouble(mean);
    },
  };
}

function extreme(evaluate: Evaluate, sign: number): Accumulator {
  return fold<unknown>(evaluate, null, (best, value) => {
    if (value === null || value === undefined) return best;
    return best === null || compareValues(value, best) * sign > 0 ? value : best;
  });
}

function firstValue(evaluate: Evaluate): Accumulator {
  let isSet = false;
  return fold<unknown>(evaluate, null, (first, value) => {
    if (isSet) return first;
    isSet = true;
    return value ?? null;
  });
}

function addToSet(evaluate: Evaluate): Accumulator {
  const values = new Map<string, unknown>();
  return {
    add: (document) => {
      const value = evaluate(document);
      if (value === undefined) return;
      const key = encodeKey([value], [1]).toString('latin1');
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

function mergeInto(merged: Doc, value: unknown): Doc {
  if (value === null || value === undefined) return merged;
  if (!isDocument(value)) throw locationError(40400, '$mergeObjects requires object inputs');
  return { ...merged, ...value };
}
