import type { Doc } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { type FilterNode, isRegex, parseFilter } from '../filter/parse-filter.ts';

/** One condition that every matching document meets for its path. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** The conditions that a filter implies, by path; what stands under `$or` or a negation implies none. */
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
  if (operator === '$in' && !(operand as unknown[]).some(isRegex)) return operand as unknown[];
  return undefined;
}
