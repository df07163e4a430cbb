import { isDocument } from '../bson/bson-types.ts';
import type { FilterNode } from '../filter/parse-filter.ts';
import { isConditions, parseConditions, parseFilter } from '../filter/parse-filter.ts';

/** One condition that every matching document meets for its path. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** The conditions that a filter implies, by path; what stands under `$or`, `$nor` or `$not` implies none. */
export function conditionsOf(node: FilterNode): Condition[] {
  if (node.kind === 'and') return node.nodes.flatMap(conditionsOf);
  if (node.kind !== 'field') return [];
  return node.operator === '$elemMatch' ? elementConditions(node.path, node.operand) : [node];
}

/** Conditions on one element hold for the path as well. */
function elementConditions(path: string, criteria: unknown): Condition[] {
  if (!isDocument(criteria)) return [];
  if (isConditions(criteria)) {
    if (Object.keys(criteria).some((key) => /^\$(and|or|nor|expr)$/.test(key))) return [];
    return parseConditions(path, criteria).flatMap(conditionsOf);
  }
  return conditionsOf(parseFilter(criteria)).map((condition) => ({
    ...condition,
    path: `${path}.${condition.path}`,
  }));
}
