import { type Doc, isDocument } from '../bson/bson-types.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { countMatches } from '../query/count-matches.ts';
import { prepareQuery } from '../query/find-query.ts';
import type { Pacer } from '../query/pacer.ts';
import { type QueryRun, runQuery } from '../query/run-query.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { DocStream, StageDeps } from './stage.ts';
import { makeStage } from './stage-table.ts';

/** Dependencies of a pipeline. */
export interface PipelineDeps {
  readonly catalog: Catalog;
  readonly database: string;
  readonly pacer: Pacer;
  readonly hint?: unknown;
}

/** A pipeline split into the leading query, which can use indexes, and the remaining stages. */
export interface SplitPipeline {
  readonly filter: Doc;
  readonly sort: Doc;
  readonly rest: readonly unknown[];
}

/** Runs a pipeline over a collection; its leading `$match` and `$sort` stages become a query. */
export function runPipeline(
  collection: string,
  pipeline: readonly unknown[],
  scope: ExpressionScope,
  deps: PipelineDeps,
): DocStream {
  const { filter, sort, rest } = splitPipeline(pipeline);
  if (isCountDocuments(rest[0])) {
    return runStages(countStream(collection, filter, scope, deps), rest.slice(1), scope, deps);
  }
  const query = { filter, sort, limit: leadingLimit(rest) };
  return runStages(queryStream(collection, query, scope, deps), rest, scope, deps);
}

/** Runs the stages of a pipeline over a stream. Errors in any stage are found before the first document. */
export function runStages(
  input: DocStream,
  pipeline: readonly unknown[],
  scope: ExpressionScope,
  deps: PipelineDeps,
): DocStream {
  const { hint: _, ...inner } = deps;
  const stageDeps: StageDeps = {
    ...inner,
    scope,
    runPipeline: (name, stages, innerScope) => runPipeline(name, stages, innerScope, inner),
    runStages: (stream, stages, innerScope) => runStages(stream, stages, innerScope, inner),
  };
  return pipeline
    .map((element) => makeStage(element, stageDeps))
    .reduce((stream, stage) => stage(stream), input);
}

/** Takes the leading `$match` stages and a `$sort` after them off a pipeline. */
export function splitPipeline(pipeline: readonly unknown[]): SplitPipeline {
  const operandAt = (i: number, name: string) => {
    const stage = pipeline[i];
    const operand = isDocument(stage) && Object.keys(stage).length === 1 ? stage[name] : undefined;
    return isDocument(operand) ? operand : undefined;
  };
  const filters: Doc[] = [];
  let at = 0;
  for (let filter = operandAt(at, '$match'); filter !== undefined; filter = operandAt(++at, '$match'))
    filters.push(filter);
  const sort = operandAt(at, '$sort');
  const hasSort = sort !== undefined && Object.keys(sort).length > 0;
  const filter = filters.length === 1 ? (filters[0] as Doc) : filters.length === 0 ? {} : { $and: filters };
  return { filter, sort: hasSort ? sort : {}, rest: pipeline.slice(hasSort ? at + 1 : at) };
}

/** Returns the `$limit` right after the query, which bounds it too: a sort then keeps no more. 0 for no limit. */
function leadingLimit([stage]: readonly unknown[]): number {
  const limit = isDocument(stage) ? stage.$limit : undefined;
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 ? limit : 0;
}

async function* queryStream(
  name: string,
  { limit, ...parts }: { filter: Doc; sort: Doc; limit: number },
  scope: ExpressionScope,
  deps: PipelineDeps,
): AsyncGenerator<readonly Doc[], void, void> {
  const run = prepareRun(name, parts, scope, deps);
  if (run === undefined) return;
  for await (const batch of runQuery({ ...run, limit })) yield batch.map(({ document }) => document);
}

async function* countStream(
  name: string,
  filter: Doc,
  scope: ExpressionScope,
  deps: PipelineDeps,
): AsyncGenerator<readonly Doc[], void, void> {
  const run = prepareRun(name, { filter }, scope, deps);
  const count = run ? await countMatches(run) : 0;
  if (count > 0) yield [{ _id: 1, n: count }];
}

/** Prepares a query of a collection; undefined when the collection does not exist. An invalid query throws in either case. */
function prepareRun(
  name: string,
  parts: { filter: Doc; sort?: Doc },
  scope: ExpressionScope,
  { catalog, database, pacer, hint }: PipelineDeps,
): QueryRun | undefined {
  const collection = catalog.find(`${database}.${name}`);
  const prepared = prepareQuery(
    collection ?? catalog.nowhere,
    { ...parts, ...(collection && { hint }) },
    scope,
  );
  return collection && { collection, ...prepared, skip: 0, limit: 0, pacer };
}

/** Recognizes the stage that drivers send for countDocuments: `{$group: {_id: 1, n: {$sum: 1}}}`. */
export function isCountDocuments(stage: unknown): boolean {
  if (!isDocument(stage) || !isDocument(stage.$group)) return false;
  const { _id, n, ...others } = stage.$group;
  const isOneEach = isDocument(n) && n.$sum === 1 && Object.keys(n).length === 1;
  return _id === 1 && isOneEach && Object.keys(others).length === 0 && Object.keys(stage).length === 1;
}
