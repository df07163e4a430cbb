import { ObjectId } from 'bson';
import { isNumeric } from '../bson/bson-types.ts';
import { toDouble } from '../bson/numbers.ts';
import type { FilterNode } from '../filter/parse-filter.ts';
import { MAX_KEY_BYTES } from '../indexes/encode-key.ts';
import type { PlannableIndex } from './plan-query.ts';

/** A filter, and the ranges of an index whose first `boundFields` fields it confines. */
interface BoundScan {
  readonly filter: FilterNode;
  readonly index: PlannableIndex;
  readonly boundFields: number;
  readonly ranges: readonly { readonly lower: Buffer; readonly upper: Buffer }[];
}

/**
 * Returns whether the ranges hold the matching documents and no others, so that keys alone can be counted. Returns false
 * when in doubt: of arrays, nulls and cut keys an index tells too little.
 */
export function isExact({ filter, index, boundFields, ranges }: BoundScan): boolean {
  if (index.isMultikey || ranges.some(({ lower, upper }) => isCut(lower) || isCut(upper))) return false;
  const paths = new Set(index.spec.fields.slice(0, boundFields).map(({ path }) => path));
  return isBound(filter, paths);
}

function isBound(node: FilterNode, paths: ReadonlySet<string>): boolean {
  if (node.kind === 'and') return node.nodes.every((child) => isBound(child, paths));
  return node.kind === 'field' && paths.has(node.path) && isPlain(node.operator, node.operand);
}

function isPlain(operator: string, operand: unknown): boolean {
  if (operator === '$eq') return isOrdered(operand) || isNumber(operand);
  if (operator === '$in') return (operand as unknown[]).every((value) => isPlain('$eq', value));
  // A range of numbers may hold a NaN, which none of them matches.
  return ['$gt', '$gte', '$lt', '$lte'].includes(operator) && isOrdered(operand);
}

function isOrdered(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof Date ||
    value instanceof ObjectId
  );
}

function isNumber(value: unknown): boolean {
  return isNumeric(value) && !Number.isNaN(toDouble(value));
}

function isCut(bound: Buffer): boolean {
  return bound.length > MAX_KEY_BYTES;
}
