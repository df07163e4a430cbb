import type { Doc } from '../bson/bson-types.ts';
import { compileNode, type Matcher } from '../filter/compile-filter.ts';
import { type FilterNode, parseFilter } from '../filter/parse-filter.ts';
import { parseSort, type SortField } from '../indexes/parse-sort.ts';
import { type Plan, planQuery } from '../planner/plan-query.ts';
import type { Collection } from '../storage/collection.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';

/** A filter and a sort, checked and planned against a collection. */
export interface PreparedQuery {
  readonly filter: FilterNode;
  readonly sort: readonly SortField[];
  readonly plan: Plan<CollectionIndex>;
  readonly matches: Matcher;
}

/** Prepares a query. Throws for a malformed filter or sort. */
export function prepareQuery(
  collection: Collection,
  parts: { readonly filter: Doc; readonly sort?: Doc },
): PreparedQuery {
  const filter = parseFilter(parts.filter);
  const sort = parseSort(parts.sort ?? {});
  const plan = planQuery(filter, sort, collection.indexes);
  return { filter, sort, plan, matches: compileNode(filter) };
}
