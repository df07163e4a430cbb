import { type Doc, isDocument } from '../bson/bson-types.ts';
import { countMatches } from '../query/count-matches.ts';
import { prepareQuery } from '../query/find-query.ts';
import type { Pacer } from '../query/pacer.ts';
import { type QueryRun, runQuery } from '../query/run-query.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { ExpressionScope } from './evaluate-expression.ts';
import { isCountDocuments } from './is-count-documents.ts';
import type { DocStream, StageDeps } from './stage.ts';
import { makeStage } from './stage-table.ts';

/** What a pipeline runs with. */
export interface PipelineDeps {
  readonly catalog: Catalog;
  readonly database: string;
  readonly pacer: Pacer;
  readonly hint?: unknown;
}

/** The part of a pipeline that is a query, which indexes serve, and the rest. */
export interface SplitPipeline {
  readonly filter: Doc;
  readonly sort: Doc;
  readonly rest: readonly unknown[];
}

/** Runs a pipeline over a collection; what it starts with (`$match`, `$sort`) becomes a query. */
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

/** Runs the stages of a pipeline over a stream. Faults of any stage are found before the first document. */
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

/** A `$limit` right after the query bounds it too: a sort then keeps no more than that. 0 is none. */
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

/** A query of a collection; undefined when there is no such collection, which a faulty query is told all the same. */
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
