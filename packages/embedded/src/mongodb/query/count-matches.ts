import type { IndexPlan, Plan } from '../planner/plan-query.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import { entryKey } from '../storage/record-keys.ts';
import { type QueryRun, runQuery } from './run-query.ts';

/** Counts the matching documents, without reading them where the keys of an index suffice. */
export async function countMatches(run: QueryRun): Promise<number> {
  let count = 0;
  if (canCountKeys(run.plan)) {
    for await (const keys of countKeys(run, run.plan)) count += keys;
  } else {
    for await (const batch of runQuery(run)) count += batch.length;
  }
  return count;
}

/** Returns whether a plan has as many keys as documents match. */
export function canCountKeys<Index extends CollectionIndex>(plan: Plan<Index>): plan is IndexPlan<Index> {
  return plan.kind === 'index' && plan.isExact;
}

async function* countKeys(
  { collection, pacer, stats, skip, limit }: QueryRun,
  { index, ranges }: IndexPlan<CollectionIndex>,
): AsyncGenerator<number, void, void> {
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for (const { lower, upper } of ranges) {
    const range = {
      lower: entryKey(index.ident, lower, undefined),
      upper: entryKey(index.ident, upper, undefined),
    };
    for (const keys of collection.countEntries(range)) {
      pacer.check();
      if (pacer.isTurnOver) await pacer.nextTurn();
      if (stats) stats.keysExamined += keys;
      const counted = Math.min(Math.max(0, keys - toSkip), left);
      toSkip = Math.max(0, toSkip - keys);
      left -= counted;
      yield counted;
      if (left === 0) return;
    }
  }
}
