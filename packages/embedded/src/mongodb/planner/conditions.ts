import { ObjectId } from 'bson';
import { type Doc, isNumeric } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numbers.ts';
import { type FilterNode, parseFilter } from '../filter/parse-filter.ts';
import { MAX_KEY_BYTES } from '../indexes/encode-key.ts';
import type { IndexSpec } from '../indexes/parse-index-spec.ts';

/** One condition that every matching document meets for its path. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** The conditions implied by a filter, by path. Clauses under `$or` or a negation imply none. */
export function conditionsOf(node: FilterNode): Condition[] {
  if (node.kind === 'and') return node.nodes.flatMap(conditionsOf);
  return node.kind === 'field' ? [node] : [];
}

/**
 * Returns whether documents that meet the conditions are certain to match a partial index's filter: "the query must contain
 * the filter expression as part of its query condition". Says no when in doubt.
 */
export function impliesFilter(conditions: readonly Condition[], filter: Doc): boolean {
  return conditionsOf(parseFilter(filter)).every((wanted) =>
    conditions.some((given) => given.path === wanted.path && implies(given, wanted)),
  );
}

function implies(given: Condition, wanted: Condition): boolean {
  if (given.operator === wanted.operator && areEqual(given.operand, wanted.operand)) return true;
  const values = valuesOf(given);
  if (wanted.operator === '$eq') return values?.every((value) => areEqual(value, wanted.operand)) ?? false;
  return values?.every((value) => value !== null) ?? EXCLUDES_MISSING.has(given.operator);
}

const EXCLUDES_MISSING = new Set(['$gt', '$gte', '$lt', '$lte', '$regex', '$size']);

function valuesOf({ operator, operand }: Condition): readonly unknown[] | undefined {
  if (operator === '$eq') return [operand];
  return operator === '$in' ? (operand as unknown[]) : undefined;
}

/** An index as the planner sees it. */
export interface PlannableIndex {
  readonly spec: IndexSpec;
  readonly isMultikey: boolean;
}

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
