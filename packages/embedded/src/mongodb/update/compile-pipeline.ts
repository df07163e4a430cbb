import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { commandError, locationError } from '../command-error.ts';
import { compileExpression, type Expression } from '../filter/compile-expression.ts';
import { compileProjection, type Projector } from '../query/project.ts';

/** Compiles an update pipeline into one function that leaves the document as it is. */
export function compilePipeline(pipeline: readonly unknown[]): Projector {
  const stages = pipeline.map((stage) => {
    const [name = 'a non-document', operand] = isDocument(stage) ? (Object.entries(stage)[0] ?? []) : [];
    const make = Object.hasOwn(UPDATE_STAGES, name) ? UPDATE_STAGES[name] : undefined;
    if (make !== undefined) return make(operand);
    throw commandError('InvalidOptions', `${name} is not allowed to be used within an update`);
  });
  return (document) => stages.reduce((current, stage) => stage(current), document);
}

/** Stages of update pipelines, by name. */
export const UPDATE_STAGES: Readonly<Record<string, (operand: unknown) => Projector>> = {
  $set: compileSet,
  $unset: compileUnset,
};

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/unset/ */
function compileUnset(operand: unknown): Projector {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw locationError(31002, '$unset specification must be a string or an array of strings');
  }
  return compileProjection(Object.fromEntries(paths.map((path) => [path, 0]))) as Projector;
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/set/ */
function compileSet(operand: unknown): Projector {
  if (!isDocument(operand)) {
    throw locationError(
      40272,
      `$set specification stage must be an object, got ${typeName(typeOf(operand))}`,
    );
  }
  const fields = Object.entries(operand).map(
    ([path, value]) => [path.split('.'), compileValue(value)] as const,
  );
  return (document) =>
    fields.reduce<Doc>(
      (result, [parts, value]) => withField(result, parts, value, document) as Doc,
      document,
    );
}

/** A document given as a value adds its fields below the path; a computed one replaces what is there. */
type Value = Expression | readonly (readonly [readonly string[], Value])[];

function compileValue(value: unknown): Value {
  const isNested =
    isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
  if (!isNested) return compileExpression(value);
  return Object.entries(value).map(([name, inner]) => [name.split('.'), compileValue(inner)] as const);
}

/** Returns a copy with the field set; in an array the field is set in every element. */
function withField(target: unknown, parts: readonly string[], value: Value, document: Doc): unknown {
  if (parts.length === 0 && typeof value === 'function') return value(document);
  if (Array.isArray(target)) return target.map((element) => withField(element, parts, value, document));
  const [part, ...rest] = parts;
  if (part === undefined) {
    return (value as Exclude<Value, Expression>).reduce<unknown>(
      (result, [names, inner]) => withField(result, names, inner, document),
      isDocument(target) ? target : {},
    );
  }
  const copy: Doc = isDocument(target) ? { ...target } : {};
  const changed = withField(copy[part], rest, value, document);
  if (changed === undefined) delete copy[part];
  else setField(copy, part, changed);
  return copy;
}
