import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { compareValues } from '../bson/compare-values.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { commandError, locationError, notServed } from '../errors/command-error.ts';
import { checkExpression, evaluate } from '../expressions/evaluate-expression.ts';
import { compileFilter } from '../filter/compile-filter.ts';
import { parseSort, sortKey } from '../keys/parse-sort.ts';
import { DOCUMENT_STAGES } from './document-stages.ts';
import { makeGroup } from './group-stage.ts';
import { collect, type MakeStage, perBatch, type Stage, type StageDeps } from './stage.ts';
import { makeUnwind } from './unwind-stage.ts';

/** Returns the stage of a pipeline element. Throws 40324 for a name that does not exist. */
export function makeStage(element: unknown, deps: StageDeps): Stage {
  if (!isDocument(element) || Object.keys(element).length !== 1) {
    throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, operand] = Object.entries(element)[0] as [string, unknown];
  const make = STAGES[name];
  if (make !== undefined) return make(operand, deps);
  if (UNSERVED.has(name)) throw notServed(`the stage ${name}`);
  if (name === '$changeStream') {
    throw locationError(40573, 'The $changeStream stage is only supported on replica sets');
  }
  throw locationError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

const UNSERVED = new Set([
  ...[
    '$out',
    '$merge',
    '$geoNear',
    '$graphLookup',
    '$bucketAuto',
    '$setWindowFields',
    '$densify',
    '$fill',
    '$search',
    '$searchMeta',
    '$vectorSearch',
    '$currentOp',
  ],
  ...[
    '$listSessions',
    '$listLocalSessions',
    '$planCacheStats',
    '$indexStats',
    '$changeStreamSplitLargeEvent',
  ],
]);

const STAGES: Readonly<Record<string, MakeStage>> = {
  ...Object.fromEntries(Object.entries(DOCUMENT_STAGES).map(([name, make]) => [name, eachDocument(make)])),
  $match: (operand, deps) => {
    if (!isDocument(operand))
      throw locationError(15959, 'the match filter must be an expression in an object');
    const matches = compileFilter(operand, deps.scope);
    return perBatch((batch) => batch.filter(matches), deps);
  },
  $sort: makeSort,
  $limit: (operand) => takeStage(positive(operand, '$limit')),
  $skip: (operand) => skipStage(natural(operand, '$skip')),
  $count: makeCount,
  $unwind: makeUnwind,
  $group: makeGroup,
  $sortByCount: (operand, deps) =>
    chain([{ $group: { _id: operand, count: { $sum: 1 } } }, { $sort: { count: -1 } }], deps),
  $bucket: makeBucket,
  $facet: makeFacet,
  $unionWith: makeUnionWith,
  $sample: makeSample,
};

function eachDocument(make: (typeof DOCUMENT_STAGES)[string]): MakeStage {
  return (operand, deps) => {
    const transform = make(operand, deps.scope);
    return perBatch((batch) => batch.map(transform), deps);
  };
}

function chain(pipeline: readonly unknown[], deps: StageDeps): Stage {
  return (input) => deps.runStages(input, pipeline, deps.scope);
}

function makeSort(operand: unknown, { pacer }: StageDeps): Stage {
  if (!isDocument(operand) || Object.keys(operand).length === 0) {
    throw locationError(15976, '$sort stage must have at least one sort key');
  }
  const sort = parseSort(operand);
  return async function* (input) {
    const keyed = (await collect(input, pacer)).map((document) => ({
      document,
      key: sortKey(document, sort),
    }));
    yield keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ document }) => document);
  };
}

function natural(operand: unknown, name: string): number {
  const count = isNumeric(operand) ? toDouble(operand) : Number.NaN;
  if (Number.isInteger(count) && count >= 0) return count;
  throw locationError(
    5107200,
    `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${String(operand)}`,
  );
}

function positive(operand: unknown, name: string): number {
  const count = natural(operand, name);
  if (count === 0) throw locationError(15958, 'the limit must be positive');
  return count;
}

function takeStage(limit: number): Stage {
  return async function* (input) {
    let left = limit;
    for await (const batch of input) {
      yield batch.slice(0, left);
      left -= Math.min(left, batch.length);
      if (left === 0) return;
    }
  };
}

function skipStage(count: number): Stage {
  return async function* (input) {
    let left = count;
    for await (const batch of input) {
      yield batch.slice(left);
      left -= Math.min(left, batch.length);
    }
  };
}

function makeCount(operand: unknown): Stage {
  if (typeof operand !== 'string' || operand === '' || operand.startsWith('$') || operand.includes('.')) {
    throw locationError(40156, 'the count field must be a non-empty string without $ or .');
  }
  return async function* (input) {
    let count = 0;
    for await (const batch of input) count += batch.length;
    if (count > 0) yield [{ [operand]: count }];
  };
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/bucket/, as a group by the lower boundary. */
function makeBucket(operand: unknown, deps: StageDeps): Stage {
  if (!isDocument(operand) || !Array.isArray(operand.boundaries) || operand.boundaries.length < 2) {
    throw locationError(40198, "$bucket requires 'groupBy' and at least two 'boundaries' to be specified.");
  }
  const {
    groupBy,
    boundaries,
    default: rest,
    output = { count: { $sum: 1 } },
  } = operand as Doc & { boundaries: unknown[] };
  checkExpression(groupBy);
  const boundaryOf = (document: Doc) => {
    const value = evaluate(groupBy, document, deps.scope);
    const above = boundaries.findIndex((boundary) => compareValues(value ?? null, boundary) < 0);
    if (above > 0) return boundaries[above - 1];
    if (rest !== undefined) return rest;
    throw locationError(
      40066,
      '$switch could not find a matching branch for an input, and no default was specified.',
    );
  };
  return async function* (input) {
    const byBucket = new Map<unknown, Doc[]>();
    for await (const batch of input) {
      for (const document of batch) {
        const bucket = boundaryOf(document);
        byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), document]);
      }
    }
    const ordered = [...byBucket].sort(([a], [b]) => compareValues(a, b));
    for (const [bucket, documents] of ordered) {
      const stage = makeGroup({ _id: { $literal: bucket }, ...(output as Doc) }, deps);
      yield* stage(streamOf(documents));
    }
  };
}

function makeFacet(operand: unknown, deps: StageDeps): Stage {
  if (!isDocument(operand) || Object.keys(operand).length === 0) {
    throw locationError(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = Object.entries(operand).map(([name, pipeline]) => {
    if (!Array.isArray(pipeline))
      throw locationError(40170, `arguments to $facet must be arrays, ${name} is not`);
    return [name, pipeline] as const;
  });
  return async function* (input) {
    const documents = await collect(input, deps.pacer);
    const result: Doc = {};
    for (const [name, pipeline] of facets) {
      result[name] = await collect(deps.runStages(streamOf(documents), pipeline, deps.scope), deps.pacer);
    }
    yield [result];
  };
}

function makeUnionWith(operand: unknown, deps: StageDeps): Stage {
  const { coll, pipeline = [] } = isDocument(operand) ? operand : { coll: operand };
  if (typeof coll !== 'string' || !Array.isArray(pipeline)) {
    throw commandError(
      'FailedToParse',
      'the $unionWith stage specification must be a collection name or an object with coll and pipeline',
    );
  }
  return async function* (input) {
    yield* input;
    yield* deps.runPipeline(coll, pipeline, deps.scope);
  };
}

function makeSample(operand: unknown, { pacer }: StageDeps): Stage {
  const size = isDocument(operand) ? natural(operand.size, '$sample') : Number.NaN;
  if (Number.isNaN(size)) throw locationError(28745, 'the $sample stage specification must be an object');
  return async function* (input) {
    const documents = await collect(input, pacer);
    for (let i = 0; i < Math.min(size, documents.length); i++) {
      const j = i + Math.floor(Math.random() * (documents.length - i));
      [documents[i], documents[j]] = [documents[j] as Doc, documents[i] as Doc];
    }
    yield documents.slice(0, size);
  };
}

async function* streamOf(documents: readonly Doc[]): AsyncGenerator<readonly Doc[], void, void> {
  yield documents;
}
