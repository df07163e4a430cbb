import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import { encodeKey } from './encode-key.ts';
import type { IndexField, IndexSpec } from './parse-index-spec.ts';

/** One key: its bytes, and the values of the fields that it was made from. */
export interface IndexKey {
  readonly bytes: Buffer;
  readonly values: readonly unknown[];
}

/** The keys of one document in one index, without repeats. */
export interface ExtractedKeys {
  readonly keys: readonly IndexKey[];
  /** True when an indexed path leads through an array: such an index yields a document more than once. */
  readonly isMultikey: boolean;
}

const NO_KEYS: ExtractedKeys = { keys: [], isMultikey: false };

/** Returns the keys of a document in an index: one, or one for each array element; a missing field counts as null. */
export function extractKeys(spec: IndexSpec, document: Doc): ExtractedKeys {
  const directions = spec.fields.map((field) => field.direction);
  const walks = spec.fields.map((field) => advance({ field, value: document, depth: 0, isDone: false }));
  const rows = expand(walks);
  if (spec.isSparse && rows.every((row) => row.every((value) => value === MISSING))) return NO_KEYS;
  const isMultikey = walks.some((walk) => !walk.isDone);
  const keys = rows.map((row) => {
    const values = row.map(asKeyValue);
    return { bytes: encodeKey(values, directions), values };
  });
  return { keys: keys.length === 1 ? keys : withoutRepeats(keys), isMultikey };
}

const MISSING = Symbol('missing');

/** Progress along the path of one field: done at a value, or waiting at an array to be expanded. */
interface Walk {
  readonly field: IndexField;
  readonly value: unknown;
  readonly depth: number;
  readonly isDone: boolean;
}

function advance(walk: Walk): Walk {
  const { field } = walk;
  let { value, depth } = walk;
  for (; depth < field.parts.length; depth++) {
    const part = field.parts[depth] as string;
    if (Array.isArray(value)) {
      if (!isPosition(part, value)) return { field, value, depth, isDone: false };
      value = value[Number(part)];
    } else {
      if (!isDocument(value) || !Object.hasOwn(value, part))
        return { field, value: MISSING, depth, isDone: true };
      value = value[part];
    }
  }
  return { field, value, depth, isDone: !Array.isArray(value) };
}

function isPosition(part: string, array: readonly unknown[]): boolean {
  return /^\d+$/.test(part) && Number(part) < array.length;
}

/** Fields under one array are expanded together, element by element. */
function expand(walks: readonly Walk[]): unknown[][] {
  const waiting = walks.filter((walk) => !walk.isDone);
  const [first] = waiting;
  if (first === undefined) return [walks.map((walk) => walk.value)];
  const other = waiting.find((walk) => walk.value !== first.value);
  if (other !== undefined) {
    const names = `[${other.field.path}] [${first.field.path}]`;
    throw commandError('CannotIndexParallelArrays', `cannot index parallel arrays ${names}`);
  }
  const elements = first.value as readonly unknown[];
  if (elements.length === 0) return expand(walks.map((walk) => (walk.isDone ? walk : atEmptyArray(walk))));
  return elements.flatMap((element) =>
    expand(walks.map((walk) => (walk.isDone ? walk : enter(walk, element)))),
  );
}

/** An empty array is indexed as undefined, a path below it as missing. */
function atEmptyArray(walk: Walk): Walk {
  const isLeaf = walk.depth === walk.field.parts.length;
  return { ...walk, value: isLeaf ? undefined : MISSING, isDone: true };
}

function enter(walk: Walk, element: unknown): Walk {
  if (walk.depth === walk.field.parts.length) return { ...walk, value: element, isDone: true };
  if (!isDocument(element)) return { ...walk, value: MISSING, isDone: true };
  return advance({ ...walk, value: element });
}

function asKeyValue(value: unknown): unknown {
  return value === MISSING ? null : value;
}

function withoutRepeats(keys: readonly IndexKey[]): IndexKey[] {
  return [...new Map(keys.map((key) => [key.bytes.toString('latin1'), key])).values()];
}
