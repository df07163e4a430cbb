import { isCountDocuments, splitPipeline } from '../../aggregate/run-pipeline.ts';
import { type Doc, isDocument } from '../../bson/bson-types.ts';
import { commandError } from '../../errors/command-error.ts';
import { describePlan } from '../../planner/describe-plan.ts';
import { canCountKeys, countMatches } from '../../query/count-matches.ts';
import { prepareQuery } from '../../query/find-query.ts';
import { type QueryRun, type RunStats, runQuery } from '../../query/run-query.ts';
import { SERVED_VERSION } from '../admin/hello.ts';
import { readArguments, statementsOf } from '../context/arguments.ts';
import type { Command, CommandContext } from '../context/command.ts';
import { makeNamespace } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/explain/: the chosen plan, and the keys and documents it examines. */
export const explain: Command = {
  fields: ['verbosity'],
  run: async (command, context) => {
    const explained = readArguments(command, 'explain').document('explain');
    const name = Object.keys(explained)[0] ?? '';
    return explainCommand(name, explained, command.verbosity ?? 'allPlansExecution', context);
  },
};

const VERBOSITIES = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

/** Returns the reply to `explain` for a command; only the command's query is run, so nothing is changed. */
async function explainCommand(
  name: string,
  explained: Doc,
  verbosity: unknown,
  context: CommandContext,
): Promise<Doc> {
  if (!VERBOSITIES.has(String(verbosity))) {
    throw commandError(
      'BadValue',
      `verbosity must be one of ${[...VERBOSITIES].join(', ')}; found ${String(verbosity)}`,
    );
  }
  const queryOf = QUERIES[name];
  if (queryOf === undefined)
    throw commandError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  const namespace = makeNamespace(context.database, String(explained[name]));
  const query = queryOf(explained, context);
  const { catalog } = context.state;
  const collection = catalog.find(namespace) ?? catalog.nowhere;
  const prepared = prepareQuery(collection, query, context.scope);
  const isEmpty = collection === catalog.nowhere;
  const { filter, sort, isCount = false } = query;
  const countsKeys = isCount && canCountKeys(prepared.plan);
  const winningPlan = isEmpty ? { stage: 'EOF' } : describePlan(prepared.plan, { filter, sort, countsKeys });
  const planner = { namespace, parsedQuery: filter, winningPlan, rejectedPlans: [] };
  const run = { collection, ...prepared, skip: 0, limit: 0, pacer: context.pacer };
  const isPlanOnly = verbosity === 'queryPlanner' || isEmpty;
  return {
    explainVersion: '1',
    queryPlanner: planner,
    ...(!isPlanOnly && {
      executionStats: { ...(await measure(run, countsKeys)), executionStages: winningPlan },
    }),
    command: explained,
    serverInfo: { version: SERVED_VERSION.slice(0, 3).join('.'), gitVersion: 'gleaner-embedded' },
  };
}

async function measure(run: QueryRun, countsKeys: boolean): Promise<Doc> {
  const stats: RunStats = { keysExamined: 0, docsExamined: 0 };
  const startedAt = performance.now();
  let nReturned = 0;
  if (countsKeys) nReturned = await countMatches({ ...run, stats });
  else for await (const batch of runQuery({ ...run, stats })) nReturned += batch.length;
  return {
    executionSuccess: true,
    nReturned,
    executionTimeMillis: Math.round(performance.now() - startedAt),
    totalKeysExamined: stats.keysExamined,
    totalDocsExamined: stats.docsExamined,
  };
}

interface ExplainedQuery {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly hint?: unknown;
  readonly isCount?: boolean;
}

/** The field of each command that holds its query. */
const QUERIES: Readonly<Record<string, (command: Doc, context: CommandContext) => ExplainedQuery>> = {
  find: (command) => ({ filter: part(command, 'filter'), sort: part(command, 'sort'), hint: command.hint }),
  count: (command) => ({ filter: part(command, 'query'), hint: command.hint, isCount: true }),
  distinct: (command) => ({ filter: part(command, 'query'), hint: command.hint }),
  findAndModify: (command) => ({
    filter: part(command, 'query'),
    sort: part(command, 'sort'),
    hint: command.hint,
  }),
  aggregate: (command) => {
    const { filter, sort, rest } = splitPipeline(readArguments(command, 'aggregate').list('pipeline'));
    return { filter, sort, hint: command.hint, isCount: isCountDocuments(rest[0]) };
  },
  update: (command, context) => statementQuery(command, 'updates', context),
  delete: (command, context) => statementQuery(command, 'deletes', context),
};

function part(command: Doc, field: string): Doc {
  return readArguments(command, 'explain').document(field);
}

function statementQuery(command: Doc, field: string, context: CommandContext): ExplainedQuery {
  const [statement] = statementsOf(command, field, context);
  return { filter: isDocument(statement?.q) ? statement.q : {}, hint: statement?.hint };
}
