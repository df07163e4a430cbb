import { cloneValue, setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { commandError, locationError } from '../errors/command-error.ts';
import { checkExpression, type ExpressionScope, evaluate } from '../expressions/evaluate-expression.ts';
import { compileProjection } from '../query/project.ts';

/** A stage that maps each document to one document. */
export type DocumentStage = (document: Doc) => Doc;

/** Stages that work on one document at a time; these alone may stand in an update pipeline. */
export const DOCUMENT_STAGES: Readonly<
  Record<string, (operand: unknown, scope: ExpressionScope) => DocumentStage>
> = {
  $addFields: makeAddFields,
  $set: makeAddFields,
  $unset: makeUnset,
  $project: makeProject,
  $replaceRoot: (operand, scope) => {
    if (!isDocument(operand) || !('newRoot' in operand)) {
      throw locationError(40231, 'no newRoot specified for the $replaceRoot stage');
    }
    return makeReplace(operand.newRoot, scope);
  },
  $replaceWith: makeReplace,
};

/** Compiles an update pipeline into one function. Throws InvalidOptions for a stage that updates may not use. */
export function evaluateStages(pipeline: readonly unknown[], scope: ExpressionScope): DocumentStage {
  const stages = pipeline.map((stage) => {
    const name = isDocument(stage) ? Object.keys(stage)[0] : undefined;
    const make = name === undefined ? undefined : DOCUMENT_STAGES[name];
    if (make === undefined) {
      throw commandError(
        'InvalidOptions',
        `${name ?? 'a non-document'} is not allowed to be used within an update`,
      );
    }
    return make((stage as Doc)[name as string], scope);
  });
  return (document) => stages.reduce((current, stage) => stage(current), document);
}

function makeAddFields(operand: unknown, scope: ExpressionScope): DocumentStage {
  if (!isDocument(operand)) {
    throw locationError(
      40272,
      `$addFields specification stage must be an object, got ${typeName(typeOf(operand))}`,
    );
  }
  checkExpression(operand);
  const fields = Object.entries(operand).map(([path, expression]) => ({
    parts: path.split('.'),
    expression,
  }));
  return (document) => {
    let result = document;
    for (const { parts, expression } of fields) {
      result = withField(result, parts, evaluateNested(expression, document, scope)) as Doc;
    }
    return result;
  };
}

/** A document given as a value adds its fields below the path; a computed one replaces what is there. */
function evaluateNested(expression: unknown, document: Doc, scope: ExpressionScope): Assignment {
  const isNested =
    isDocument(expression) &&
    Object.keys(expression).length > 0 &&
    !Object.keys(expression)[0]?.startsWith('$');
  if (!isNested) return { value: cloneValue(evaluate(expression, document, scope)) };
  return {
    fields: Object.entries(expression).map(
      ([name, inner]) => [name.split('.'), evaluateNested(inner, document, scope)] as const,
    ),
  };
}

type Assignment =
  | { readonly value: unknown }
  | { readonly fields: readonly (readonly [readonly string[], Assignment])[] };

/** Returns a copy with the field set; in an array the field is set in every element. */
function withField(target: unknown, parts: readonly string[], assignment: Assignment): unknown {
  if (parts.length === 0) return assign(target, assignment);
  if (Array.isArray(target)) return target.map((element) => withField(element, parts, assignment));
  const [part = '', ...rest] = parts;
  const copy: Doc = isDocument(target) ? { ...target } : {};
  const value = withField(copy[part], rest, assignment);
  if (value === undefined) delete copy[part];
  else setField(copy, part, value);
  return copy;
}

function assign(target: unknown, assignment: Assignment): unknown {
  if ('value' in assignment) return assignment.value;
  if (Array.isArray(target)) return target.map((element) => assign(element, assignment));
  return assignment.fields.reduce<unknown>(
    (result, [parts, inner]) => withField(result, parts, inner),
    isDocument(target) ? target : {},
  );
}

function makeUnset(operand: unknown, scope: ExpressionScope): DocumentStage {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw locationError(31002, '$unset specification must be a string or an array of strings');
  }
  return compileProjection(Object.fromEntries(paths.map((path) => [path, 0])), scope) as DocumentStage;
}

function makeProject(operand: unknown, scope: ExpressionScope): DocumentStage {
  if (!isDocument(operand)) throw locationError(15969, '$project specification must be an object');
  const project = compileProjection(operand, scope);
  if (project === undefined)
    throw locationError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  return project;
}

function makeReplace(expression: unknown, scope: ExpressionScope): DocumentStage {
  checkExpression(expression);
  return (document) => {
    const root = evaluate(expression, document, scope);
    if (isDocument(root)) return root;
    const type = root === undefined ? 'missing' : typeName(typeOf(root));
    throw locationError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type '${type}'`,
    );
  };
}
