import { cloneValue } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { modifyAt } from '../bson/paths.ts';
import { commandError, notServed } from '../command-error.ts';
import { compilePipeline } from './compile-pipeline.ts';
import { MODIFIERS, type Modify } from './modifiers.ts';

/** Makes the new document from the old one without changing it; for an insert by an upsert, `$setOnInsert` applies. */
export type Updater = (document: Doc, isInsert: boolean) => Doc;

/** Compiles operators or a pipeline. Throws as MongoDB's parser does. */
export function compileUpdate(update: unknown): Updater {
  if (Array.isArray(update)) {
    const stages = compilePipeline(update);
    return (document) => withSameId(document, stages(document));
  }
  if (!isDocument(update))
    throw commandError('FailedToParse', 'Update argument must be either an object or an array');
  if (!Object.keys(update)[0]?.startsWith('$')) throw notServed('an update that replaces the document');
  return compileOperators(update);
}

/** Keeps `_id`, first and unchanged, as every update must. */
function withSameId(before: Doc, after: Doc): Doc {
  if (before._id === undefined) return after;
  if (after._id !== undefined && !areEqual(before._id, after._id)) {
    throw commandError(
      'ImmutableField',
      "After applying the update, the (immutable) field '_id' was found to have been altered",
    );
  }
  const { _id, ...rest } = after;
  return { _id: before._id, ...rest };
}

interface Step {
  readonly path: string;
  readonly parts: readonly string[];
  readonly isOnInsert: boolean;
  readonly modify: Modify;
}

function compileOperators(update: Doc): Updater {
  const steps: Step[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!isDocument(fields)) {
      throw commandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${String(fields)}}`,
      );
    }
    steps.push(...compileOperator(operator, fields));
  }
  refuseConflicts(steps.map(({ path }) => path));
  steps.sort((a, b) => comparePaths(a.parts, b.parts));
  return (document, isInsert) => {
    const result = cloneValue(document);
    for (const step of steps) {
      if (step.isOnInsert && !isInsert) continue;
      modifyAt(result, step.parts, step.modify);
    }
    refuseChangedId(document, result);
    return result;
  };
}

function compileOperator(operator: string, fields: Doc): Step[] {
  const make = Object.hasOwn(MODIFIERS, operator) ? MODIFIERS[operator] : undefined;
  if (make === undefined) {
    throw commandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  return Object.entries(fields).map(([path, operand]) => ({
    path,
    parts: parsePath(path),
    isOnInsert: operator === '$setOnInsert',
    modify: make(operand, path),
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
  for (const part of parts) {
    if (part === '$' || part.startsWith('$[')) throw notServed(`the positional operator ${part}`);
    if (part.startsWith('$')) {
      throw commandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`,
      );
    }
  }
  return parts;
}

/** Throws ConflictingUpdateOperators when two paths of one update are the same or one lies inside the other. */
function refuseConflicts(paths: readonly string[]): void {
  const sorted = [...paths].sort();
  const seen = new Set<string>();
  for (const path of sorted) {
    const ancestors = path.split('.').map((_, i, parts) => parts.slice(0, i + 1).join('.'));
    const conflict = ancestors.find((ancestor) => seen.has(ancestor));
    if (conflict !== undefined) {
      throw commandError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${conflict}'`,
      );
    }
    seen.add(path);
  }
}

function refuseChangedId(before: Doc, after: Doc): void {
  const hadId = Object.hasOwn(before, '_id');
  if (!hadId || (Object.hasOwn(after, '_id') && areEqual(before._id, after._id))) return;
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
