import { type Doc, isDocument } from '../bson/bson-types.ts';
import { locationError } from '../command-error.ts';
import type { Pacer } from '../query/pacer.ts';
import { prepareQuery } from '../query/prepare-query.ts';
import { type QueryRun, runQuery } from '../query/run-query.ts';
import type { Catalog } from '../storage/catalog.ts';
import { entryKey } from '../storage/record-keys.ts';
import { type DocStream, makeStage } from './stages.ts';

/** Dependencies of a pipeline. */
export interface PipelineDeps {
  readonly catalog: Catalog;
  readonly pacer: Pacer;
}

interface LeadingQuery {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly limit?: number;
}

/** Runs a pipeline over a collection. Errors in any stage are found before the first document. */
export function runPipeline(namespace: string, pipeline: readonly unknown[], deps: PipelineDeps): DocStream {
  const { query, rest } = splitPipeline(pipeline);
  const isCount = isCountDocuments(rest[0]);
  const stages = (isCount ? rest.slice(1) : rest).map((element) => makeStage(element, deps.pacer));
  const source = isCount ? countStream(namespace, query.filter, deps) : queryStream(namespace, query, deps);
  return stages.reduce<DocStream>((stream, stage) => stage(stream), source);
}

/**
 * Takes the leading `$match`, the `$sort` after it and the `$limit` after that off a pipeline: together they are a query,
 * which can use indexes, and whose sort keeps no more than the limit.
 */
function splitPipeline(pipeline: readonly unknown[]): { query: LeadingQuery; rest: readonly unknown[] } {
  let rest = pipeline;
  const take = (name: string): unknown => {
    const [stage] = rest;
    const isIt = isDocument(stage) && Object.keys(stage).length === 1 && Object.hasOwn(stage, name);
    if (isIt) rest = rest.slice(1);
    return isIt ? stage[name] : undefined;
  };
  const filter = take('$match');
  const sort = take('$sort');
  if (isDocument(sort) && Object.keys(sort).length === 0)
    throw locationError(15976, '$sort stage must have at least one sort key');
  const [next] = rest;
  const limit = isDocument(next) ? next.$limit : undefined;
  return {
    query: {
      filter: operandOf(filter, 15959, 'the match filter must be an expression in an object'),
      sort: operandOf(sort, 15976, '$sort stage must have at least one sort key'),
      limit: typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? limit : 0,
    },
    rest,
  };
}

function operandOf(operand: unknown, code: number, message: string): Doc {
  if (operand === undefined || isDocument(operand)) return operand ?? {};
  throw locationError(code, message);
}

async function* queryStream(
  namespace: string,
  { limit = 0, ...parts }: LeadingQuery,
  deps: PipelineDeps,
): AsyncGenerator<readonly Doc[], void, void> {
  const run = prepareRun(namespace, parts, deps);
  if (run === undefined) return;
  for await (const batch of runQuery({ ...run, limit })) yield batch.map(({ document }) => document);
}

async function* countStream(
  namespace: string,
  filter: Doc,
  deps: PipelineDeps,
): AsyncGenerator<readonly Doc[], void, void> {
  const run = prepareRun(namespace, { filter }, deps);
  const count = run ? await countMatches(run) : 0;
  if (count > 0) yield [{ _id: 1, n: count }];
}

/** Prepares a query of a collection; undefined when the collection does not exist. An invalid query throws in either case. */
function prepareRun(
  namespace: string,
  parts: { filter: Doc; sort?: Doc },
  { catalog, pacer }: PipelineDeps,
): QueryRun | undefined {
  const collection = catalog.find(namespace);
  const prepared = prepareQuery(collection ?? catalog.nowhere, parts);
  return collection && { collection, ...prepared, skip: 0, limit: 0, pacer };
}

/** Recognizes the stage that drivers send for countDocuments: `{$group: {_id: 1, n: {$sum: 1}}}`. */
function isCountDocuments(stage: unknown): boolean {
  if (!isDocument(stage) || !isDocument(stage.$group)) return false;
  const { _id, n, ...others } = stage.$group;
  const isOneEach = isDocument(n) && n.$sum === 1 && Object.keys(n).length === 1;
  return _id === 1 && isOneEach && Object.keys(others).length === 0 && Object.keys(stage).length === 1;
}

/** Counts the matching documents, without reading them where the keys of an index suffice. */
async function countMatches(run: QueryRun): Promise<number> {
  const { collection, plan, pacer } = run;
  let count = 0;
  if (plan.kind !== 'index' || !plan.isExact) {
    for await (const batch of runQuery(run)) count += batch.length;
    return count;
  }
  for (const { lower, upper } of plan.ranges) {
    const range = {
      lower: entryKey(plan.index.ident, lower, undefined),
      upper: entryKey(plan.index.ident, upper, undefined),
    };
    for (const keys of collection.countEntries(range)) {
      pacer.check();
      if (pacer.isTurnOver) await pacer.nextTurn();
      count += keys;
    }
  }
  return count;
}
