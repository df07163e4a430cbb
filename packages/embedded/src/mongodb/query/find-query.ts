import { type Doc, isDocument } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { commandError } from '../errors/command-error.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { compileNode, type Matcher } from '../filter/compile-filter.ts';
import { type FilterNode, parseFilter } from '../filter/parse-filter.ts';
import { parseSort, type SortField } from '../keys/parse-sort.ts';
import { type Plan, planQuery } from '../planner/plan-query.ts';
import type { Collection } from '../storage/collection.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';

/** A filter, sort and hint, checked and planned against a collection. */
export interface PreparedQuery {
  readonly filter: FilterNode;
  readonly sort: readonly SortField[];
  readonly plan: Plan<CollectionIndex>;
  readonly matches: Matcher;
}

interface QueryParts {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly hint?: unknown;
}

/** Prepares a query. Throws for a malformed filter or sort, and BadValue for a hint that names no index. */
export function prepareQuery(
  collection: Collection,
  parts: QueryParts,
  scope: ExpressionScope,
): PreparedQuery {
  const filter = parseFilter(parts.filter);
  const sort = parseSort(parts.sort ?? {});
  return {
    filter,
    sort: sort[0]?.path === '$natural' ? [] : sort,
    plan: choosePlan(collection, filter, sort, parts.hint),
    matches: compileNode(filter, scope),
  };
}

function choosePlan(
  collection: Collection,
  filter: FilterNode,
  sort: readonly SortField[],
  hint: unknown,
): Plan<CollectionIndex> {
  if (sort[0]?.path === '$natural') return planQuery(filter, sort, []);
  if (hint === undefined || (isDocument(hint) && Object.keys(hint).length === 0)) {
    return planQuery(filter, sort, collection.indexes);
  }
  if (isDocument(hint) && '$natural' in hint) {
    const plan = planQuery<CollectionIndex>(filter, sort, []);
    return plan.kind === 'collection' ? { ...plan, isReverse: hint.$natural === -1 } : plan;
  }
  return planQuery(filter, sort, [], findHinted(collection, hint));
}

function findHinted(collection: Collection, hint: unknown): CollectionIndex {
  const index = collection.indexes.find(
    ({ spec }) => !spec.isHidden && (isDocument(hint) ? areEqual(spec.key, hint) : spec.name === hint),
  );
  if (index !== undefined) return index;
  throw commandError(
    'BadValue',
    'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
  );
}
