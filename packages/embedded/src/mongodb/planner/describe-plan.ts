import type { Doc } from '../bson/bson-types.ts';
import type { IndexPlan, Plan, PlannableIndex } from './plan-query.ts';

/**
 * A plan as `explain` shows it: COLLSCAN, or FETCH over IXSCAN, under a SORT where the plan does not give the order. Keys that
 * are only counted are an IXSCAN without a FETCH.
 */
export function describePlan(plan: Plan, { filter, sort = {}, countsKeys }: PlannedQuery): Doc {
  if (countsKeys && plan.kind === 'index') return describeScan(plan);
  const access = describeAccess(plan, filter);
  const isSorted = Object.keys(sort).length === 0 || plan.providesSort;
  return isSorted ? access : { stage: 'SORT', sortPattern: sort, inputStage: access };
}

interface PlannedQuery {
  readonly filter: Doc;
  readonly sort?: Doc | undefined;
  readonly countsKeys: boolean;
}

function describeAccess(plan: Plan, filter: Doc): Doc {
  if (plan.kind === 'collection') {
    return { stage: 'COLLSCAN', filter, direction: plan.isReverse ? 'backward' : 'forward' };
  }
  if (plan.kind === 'index') return { stage: 'FETCH', filter, inputStage: describeScan(plan) };
  return { stage: 'FETCH', filter, inputStage: { stage: 'OR', inputStages: plan.plans.map(describeScan) } };
}

function describeScan({ bounds, index, isReverse }: IndexPlan<PlannableIndex>): Doc {
  const { spec } = index;
  return {
    stage: 'IXSCAN',
    keyPattern: spec.key,
    indexName: spec.name,
    isMultiKey: index.isMultikey,
    isUnique: spec.isUnique,
    isSparse: spec.isSparse,
    isPartial: spec.partialFilterExpression !== undefined,
    direction: isReverse ? 'backward' : 'forward',
    indexBounds: bounds,
  };
}
