import type { Doc } from '../bson/bson-types.ts';
import { areEqual, compareValues, typeRank } from '../bson/compare-values.ts';
import { type FilterNode, isRegex, parseFilter } from '../filter/parse-filter.ts';
import { PREDICATES } from '../filter/predicates.ts';
import { type Condition, conditionsOf } from './conditions.ts';

/**
 * Returns whether documents that meet the conditions are certain to match a partial index's filter: "the query must contain
 * the filter expression as part of its query condition". Says no when in doubt.
 */
export function impliesFilter(conditions: readonly Condition[], filter: Doc): boolean {
  return impliesNode(conditions, parseFilter(filter));
}

function impliesNode(conditions: readonly Condition[], node: FilterNode): boolean {
  if (node.kind === 'and') return node.nodes.every((child) => impliesNode(conditions, child));
  if (node.kind === 'or') return node.nodes.some((child) => impliesNode(conditions, child));
  if (node.kind !== 'field') return false;
  return conditionsOf(node).every((wanted) =>
    conditions.some((given) => given.path === wanted.path && impliesCondition(given, wanted)),
  );
}

function impliesCondition(given: Condition, wanted: Condition): boolean {
  if (given.operator === wanted.operator && areEqual(given.operand, wanted.operand)) return true;
  const values = valuesOf(given);
  if (values !== undefined) {
    const test = PREDICATES[wanted.operator]?.(wanted.operand, () => () => false);
    return test !== undefined && values.every((value) => value !== null && test(value));
  }
  if (wanted.operator === '$exists') return wanted.operand === true && EXCLUDES_MISSING.has(given.operator);
  return isTighter(given, wanted);
}

const EXCLUDES_MISSING = new Set(['$gt', '$gte', '$lt', '$lte', '$type', '$regex', '$size', '$mod']);

function valuesOf({ operator, operand }: Condition): readonly unknown[] | undefined {
  if (operator === '$eq') return [operand];
  if (operator === '$in' && !(operand as unknown[]).some(isRegex)) return operand as unknown[];
  return undefined;
}

function isTighter(given: Condition, wanted: Condition): boolean {
  if (typeRank(given.operand) !== typeRank(wanted.operand)) return false;
  const order = compareValues(given.operand, wanted.operand);
  const isGreater = (operator: string) => operator === '$gt' || operator === '$gte';
  const isLess = (operator: string) => operator === '$lt' || operator === '$lte';
  if (isGreater(given.operator) && isGreater(wanted.operator)) {
    return order > 0 || (order === 0 && given.operator === '$gt');
  }
  if (isLess(given.operator) && isLess(wanted.operator)) {
    return order < 0 || (order === 0 && given.operator === '$lt');
  }
  return false;
}
