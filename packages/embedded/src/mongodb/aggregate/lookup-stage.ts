import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../errors/command-error.ts';
import { type ExpressionScope, evaluate, resolvePath } from '../expressions/evaluate-expression.ts';
import { collect, type MakeStage, type StageDeps } from './stage.ts';

interface Lookup {
  readonly from: string | undefined;
  readonly as: string;
  readonly localParts: readonly string[] | undefined;
  readonly foreignField: string | undefined;
  readonly variables: Doc;
  readonly pipeline: readonly unknown[];
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/lookup/: equality uses the foreign index. */
export const makeLookup: MakeStage = (operand, deps) => {
  const lookup = parseLookup(operand);
  return async function* (input) {
    for await (const batch of input) {
      const joined: Doc[] = [];
      for (const document of batch) {
        const pause = deps.pacer.tick();
        if (pause !== undefined) await pause;
        joined.push(withField(document, lookup.as, await findForeign(document, lookup, deps)));
      }
      yield joined;
    }
  };
};

/** Returns a copy of a document with the field at a dotted path set. */
function withField(document: Doc, path: string, value: unknown): Doc {
  const [part = '', ...rest] = path.split('.');
  const copy = { ...document };
  const inner = isDocument(copy[part]) ? copy[part] : {};
  setField(copy, part, rest.length === 0 ? value : withField(inner, rest.join('.'), value));
  return copy;
}

const FIELDS = new Set(['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']);

function parseLookup(operand: unknown): Lookup {
  const refuse = (message: string) => commandError('FailedToParse', message);
  if (!isDocument(operand)) throw refuse('the $lookup specification must be an Object');
  const unknown = Object.keys(operand).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw refuse(`unknown argument to $lookup: ${unknown}`);
  const { from, as, localField, foreignField, pipeline } = operand;
  if (typeof as !== 'string') throw refuse("must specify 'as' field for a $lookup");
  if (typeof from !== 'string' && !(from === undefined && Array.isArray(pipeline))) {
    throw refuse("missing 'from' option to $lookup stage specification");
  }
  const hasFields = typeof localField === 'string' && typeof foreignField === 'string';
  if (!hasFields && (localField !== undefined || foreignField !== undefined || !Array.isArray(pipeline))) {
    throw refuse(
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
    );
  }
  return {
    from: from as string | undefined,
    as,
    localParts: hasFields ? localField.split('.') : undefined,
    foreignField: hasFields ? foreignField : undefined,
    variables: isDocument(operand.let) ? operand.let : {},
    pipeline: Array.isArray(pipeline) ? pipeline : [],
  };
}

async function findForeign(document: Doc, lookup: Lookup, deps: StageDeps): Promise<Doc[]> {
  const scope = withVariables(document, lookup.variables, deps.scope);
  const match = equalityMatch(document, lookup);
  const pipeline = match === undefined ? lookup.pipeline : [{ $match: match }, ...lookup.pipeline];
  const found =
    lookup.from === undefined
      ? deps.runStages(none(), pipeline, scope)
      : deps.runPipeline(lookup.from, pipeline, scope);
  return collect(found, deps.pacer);
}

async function* none(): AsyncGenerator<readonly Doc[], void, void> {
  yield [];
}

/** A missing local field matches null and missing; a local array matches by each of its elements. */
function equalityMatch(document: Doc, { localParts, foreignField }: Lookup): Doc | undefined {
  if (localParts === undefined || foreignField === undefined) return undefined;
  const local = resolvePath(document, localParts) ?? null;
  return { [foreignField]: Array.isArray(local) ? { $in: [...local, local] } : { $eq: local } };
}

function withVariables(document: Doc, variables: Doc, scope: ExpressionScope): ExpressionScope {
  const values = Object.entries(variables).map(([name, expression]) => [
    name,
    evaluate(expression, document, scope),
  ]);
  return { ...scope, variables: { ...scope.variables, ...Object.fromEntries(values) } };
}
