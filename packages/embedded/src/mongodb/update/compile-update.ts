import { evaluateStages } from '../aggregate/document-stages.ts';
import { cloneValue } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { commandError } from '../errors/command-error.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { compileElementFilter } from '../filter/compile-filter.ts';
import { MISSING } from '../paths/match-path.ts';
import { modifyAt, UNSET, valueAt } from '../paths/update-path.ts';
import { compileArrayFilters } from './array-filters.ts';
import { MODIFIERS, type Modify } from './modifiers.ts';
import { concretePaths, type PositionalContext } from './positional-path.ts';
import { refuseConflicts } from './update-conflicts.ts';

/** Makes the new document from the old one without changing the old one. */
export type Updater = (document: Doc, circumstances: UpdateCircumstances) => Doc;

/** Inputs of an update besides the document. */
export interface UpdateCircumstances {
  /** An upsert is inserting: `$setOnInsert` applies. */
  readonly isInsert: boolean;
  readonly positionOf: PositionalContext['positionOf'];
}

/** An update of any of the three forms, checked. */
export interface CompiledUpdate {
  readonly kind: 'operators' | 'replacement' | 'pipeline';
  readonly apply: Updater;
}

/** Compiles operators, a replacement or a pipeline. Throws as MongoDB's parser does. */
export function compileUpdate(
  update: unknown,
  arrayFilters: readonly unknown[],
  scope: ExpressionScope,
): CompiledUpdate {
  if (Array.isArray(update)) {
    if (arrayFilters.length > 0)
      throw commandError('FailedToParse', 'arrayFilters may not be specified for pipeline-style updates');
    const stages = evaluateStages(update, scope);
    return { kind: 'pipeline', apply: (document) => withSameId(document, stages(document)) };
  }
  if (!isDocument(update))
    throw commandError('FailedToParse', 'Update argument must be either an object or an array');
  const isReplacement = !Object.keys(update)[0]?.startsWith('$');
  return isReplacement
    ? compileReplacement(update, arrayFilters)
    : compileOperators(update, arrayFilters, scope);
}

function compileReplacement(replacement: Doc, arrayFilters: readonly unknown[]): CompiledUpdate {
  if (arrayFilters.length > 0)
    throw commandError('FailedToParse', 'arrayFilters may not be specified for replacement-style updates');
  const dollar = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (dollar !== undefined) {
    throw commandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return { kind: 'replacement', apply: (document) => withSameId(document, cloneValue(replacement)) };
}

/** Keeps `_id`, first and unchanged, as every update must. */
function withSameId(before: Doc, after: Doc): Doc {
  if (before._id === undefined) return after;
  if (after._id !== undefined && !isSame(before._id, after._id)) {
    throw commandError(
      'ImmutableField',
      "After applying the update, the (immutable) field '_id' was found to have been altered",
    );
  }
  const { _id, ...rest } = after;
  return { _id: before._id, ...rest };
}

function isSame(left: unknown, right: unknown): boolean {
  return areEqual(left, right);
}

interface Step {
  readonly path: string;
  readonly parts: readonly string[];
  readonly isOnInsert: boolean;
  readonly modify: Modify;
}

function compileOperators(
  update: Doc,
  arrayFilters: readonly unknown[],
  scope: ExpressionScope,
): CompiledUpdate {
  const steps: Step[] = [];
  const renames: (readonly [string, string])[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!isDocument(fields)) {
      throw commandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${String(fields)}}`,
      );
    }
    if (operator === '$rename') renames.push(...parseRenames(fields));
    else steps.push(...compileOperator(operator, fields, scope));
  }
  refuseConflicts([...steps.map(({ path }) => path), ...renames.flat()]);
  const filters = compileArrayFilters(
    arrayFilters,
    steps.map(({ parts }) => parts),
    scope,
  );
  steps.sort((a, b) => comparePaths(a.parts, b.parts));
  const apply: Updater = (document, { isInsert, positionOf }) => {
    const result = cloneValue(document);
    for (const [from, to] of renames) renameField(result, from, to);
    for (const step of steps) {
      if (step.isOnInsert && !isInsert) continue;
      for (const path of concretePaths(result, step.parts, { positionOf, arrayFilters: filters })) {
        modifyAt(result, path, step.modify);
      }
    }
    refuseChangedId(document, result);
    return result;
  };
  return { kind: 'operators', apply };
}

function compileOperator(operator: string, fields: Doc, scope: ExpressionScope): Step[] {
  const make = MODIFIERS[operator];
  if (make === undefined) {
    throw commandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  const context = {
    now: scope.now,
    compileElement: (criteria: Doc) => compileElementFilter(criteria, scope),
  };
  return Object.entries(fields).map(([path, operand]) => ({
    path,
    parts: parsePath(path),
    isOnInsert: operator === '$setOnInsert',
    modify: make(operand, path, context),
  }));
}

function parsePath(path: string): string[] {
  if (path === '') throw commandError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw commandError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  parts.forEach((part, i) => {
    if (part === '$' || part === '$[]' || /^\$\[[a-z][A-Za-z0-9]*\]$/.test(part)) {
      if (i > 0) return;
      throw commandError(
        'BadValue',
        `Cannot have positional (i.e. '$') element in the first position in path '${path}'`,
      );
    }
    if (part.startsWith('$')) {
      throw commandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`,
      );
    }
  });
  return parts;
}

function parseRenames(fields: Doc): (readonly [string, string])[] {
  return Object.entries(fields).map(([from, to]) => {
    if (typeof to !== 'string')
      throw commandError('BadValue', `The 'to' field for $rename must be a string: ${from}: ${String(to)}`);
    if (from === to)
      throw commandError('BadValue', `The source and target field for $rename must differ: ${from}: "${to}"`);
    for (const path of [from, to]) {
      if (parsePath(path).some((part) => part.startsWith('$'))) {
        throw commandError('BadValue', `The source and target field for $rename may not be dynamic: ${path}`);
      }
    }
    return [from, to] as const;
  });
}

function renameField(document: Doc, from: string, to: string): void {
  const value = valueAt(document, from.split('.'));
  if (value === MISSING) return;
  modifyAt(document, from.split('.'), () => UNSET);
  modifyAt(document, to.split('.'), () => value);
}

function refuseChangedId(before: Doc, after: Doc): void {
  const hadId = Object.hasOwn(before, '_id');
  if (!hadId || (Object.hasOwn(after, '_id') && isSame(before._id, after._id))) return;
  throw commandError(
    'ImmutableField',
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

/** "Update operators process document fields with string-based names in lexicographic order", numbers by value. */
function comparePaths(left: readonly string[], right: readonly string[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const a = left[i] as string;
    const b = right[i] as string;
    if (a === b) continue;
    const isNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
    return isNumbers ? Number(a) - Number(b) : a < b ? -1 : 1;
  }
  return left.length - right.length;
}
