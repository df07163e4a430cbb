import type { Doc } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import type { IndexPlan, Plan, PlannableIndex } from '../planner/plan-query.ts';
import { prepareQuery } from '../query/prepare-query.ts';
import { type QueryRun, type RunStats, runQuery } from '../query/run-query.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command } from './command.ts';

/**
 * https://www.mongodb.com/docs/manual/reference/command/explain/ of a find: the chosen plan, and the keys and documents that
 * it examines.
 */
export const explain: Command = {
  fields: ['verbosity'],
  run: async (command, context) => {
    const explained = readArguments(command, 'explain').document('explain');
    const name = Object.keys(explained)[0] ?? '';
    if (name !== 'find')
      throw commandError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
    const namespace = namespaceOf(explained, { ...context, name });
    const args = readArguments(explained, 'explain');
    const query = { filter: args.document('filter'), sort: args.document('sort') };
    const { catalog } = context.state;
    const collection = catalog.find(namespace) ?? catalog.nowhere;
    const prepared = prepareQuery(collection, query);
    const winningPlan = describePlan(prepared.plan, query);
    const run = { collection, ...prepared, skip: 0, limit: 0, pacer: context.pacer };
    return {
      explainVersion: '1',
      queryPlanner: { namespace, parsedQuery: query.filter, winningPlan, rejectedPlans: [] },
      ...(command.verbosity !== 'queryPlanner' && { executionStats: await measure(run) }),
      command: explained,
    };
  },
};

/** COLLSCAN, or FETCH over IXSCAN, under a SORT where the plan does not give the order. */
function describePlan(plan: Plan, { filter, sort }: { filter: Doc; sort: Doc }): Doc {
  const access = describeAccess(plan, filter);
  const isSorted = Object.keys(sort).length === 0 || plan.providesSort;
  return isSorted ? access : { stage: 'SORT', sortPattern: sort, inputStage: access };
}

function describeAccess(plan: Plan, filter: Doc): Doc {
  if (plan.kind === 'collection') return { stage: 'COLLSCAN', filter };
  if (plan.kind === 'index') return { stage: 'FETCH', filter, inputStage: describeScan(plan) };
  return { stage: 'FETCH', filter, inputStage: { stage: 'OR', inputStages: plan.plans.map(describeScan) } };
}

function describeScan({ index, isReverse }: IndexPlan<PlannableIndex>): Doc {
  const direction = isReverse ? 'backward' : 'forward';
  return { stage: 'IXSCAN', keyPattern: index.spec.key, indexName: index.spec.name, direction };
}

async function measure(run: QueryRun): Promise<Doc> {
  const stats: RunStats = { keysExamined: 0, docsExamined: 0 };
  let nReturned = 0;
  for await (const batch of runQuery({ ...run, stats })) nReturned += batch.length;
  return {
    executionSuccess: true,
    nReturned,
    totalKeysExamined: stats.keysExamined,
    totalDocsExamined: stats.docsExamined,
  };
}
