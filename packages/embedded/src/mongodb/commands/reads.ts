import { runPipeline } from '../aggregate/run-pipeline.ts';
import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import type { Plan } from '../planner/plan-query.ts';
import { prepareQuery } from '../query/prepare-query.ts';
import { compileProjection } from '../query/project.ts';
import { type Match, type QueryRun, type RunStats, runQuery } from '../query/run-query.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';
import { openCursor } from './cursor-reply.ts';

/** https://www.mongodb.com/docs/manual/reference/command/find/ */
export const find: Command = {
  fields: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
  run: async (command, context) => {
    const args = readArguments(command, 'find');
    const namespace = namespaceOf(command, context);
    const limit = args.number('limit') ?? 0;
    const options = {
      namespace,
      batchSize: args.natural('batchSize'),
      isSingleBatch: args.flag('singleBatch') || limit < 0,
    };
    const parts = { skip: args.natural('skip') ?? 0, limit: Math.abs(limit) };
    return openCursor(findDocuments(command, namespace, parts, context), options, context);
  },
};

async function* findDocuments(
  command: Doc,
  namespace: string,
  { skip, limit }: { skip: number; limit: number },
  { state: { catalog }, pacer }: CommandContext,
): AsyncGenerator<Buffer[], void, void> {
  const args = readArguments(command, 'find');
  const collection = catalog.find(namespace);
  const query = { filter: args.document('filter'), sort: args.document('sort') };
  const prepared = prepareQuery(collection ?? catalog.nowhere, query);
  const project = compileProjection(args.document('projection'));
  if (collection === undefined) return;
  const encode =
    project === undefined
      ? (match: Match) => match.raw
      : (match: Match) => encodeDocument(project(match.document));
  for await (const batch of runQuery({ collection, ...prepared, skip, limit, pacer })) {
    yield batch.map(encode);
  }
}

/** https://www.mongodb.com/docs/manual/reference/command/aggregate/ */
export const aggregate: Command = {
  fields: ['pipeline', 'cursor'],
  run: (command, context) => {
    const args = readArguments(command, 'aggregate');
    if (!isDocument(command.cursor)) {
      throw commandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    args.required('pipeline');
    const namespace = namespaceOf(command, context);
    const batchSize = readArguments(args.document('cursor'), 'aggregate.cursor').natural('batchSize');
    const { state, pacer } = context;
    const documents = runPipeline(namespace, args.list('pipeline'), { catalog: state.catalog, pacer });
    return openCursor(encoded(documents), { namespace, batchSize }, context);
  },
};

async function* encoded(source: AsyncIterable<readonly Doc[]>): AsyncGenerator<Buffer[], void, void> {
  for await (const batch of source) yield batch.map(encodeDocument);
}

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
  const { key: keyPattern, name: indexName } = plan.index.spec;
  const direction = plan.isReverse ? 'backward' : 'forward';
  return { stage: 'FETCH', filter, inputStage: { stage: 'IXSCAN', keyPattern, indexName, direction } };
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
