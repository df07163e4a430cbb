import { commandError, notServed } from '../command-error.ts';
import { setField } from './bson-codec.ts';
import { type Doc, isDocument } from './bson-types.ts';

/** The value that a predicate receives when the path does not exist. */
export const MISSING: unique symbol = Symbol('missing');

/**
 * Returns whether any value that a dotted path reaches passes the test, going into array elements on the way as MongoDB does;
 * an array at the end of the path is passed whole.
 */
export function someAtPath(
  value: unknown,
  parts: readonly string[],
  test: (value: unknown) => boolean,
  depth = 0,
): boolean {
  if (depth === parts.length) return test(value);
  const part = parts[depth] as string;
  if (Array.isArray(value)) {
    if (isPosition(part) && Number(part) < value.length) {
      if (someAtPath(value[Number(part)], parts, test, depth + 1)) return true;
    }
    return value.some((element) => isDocument(element) && someAtPath(element, parts, test, depth));
  }
  if (!isDocument(value) || !Object.hasOwn(value, part)) return test(MISSING);
  return someAtPath(value[part], parts, test, depth + 1);
}

/** Result of a modifier that removes the field; in an array it becomes null, as in MongoDB. */
export const UNSET: unique symbol = Symbol('unset');

/**
 * Changes the value at a path without positional parts. `modify` gets the value or MISSING and answers the new value,
 * UNSET, or MISSING for none; parents are made only for a new value. Throws PathNotViable through a scalar.
 */
export function modifyAt(document: Doc, parts: readonly string[], modify: (value: unknown) => unknown): void {
  const at = findParent(document, parts);
  const { parent, depth } = at;
  const isLeaf = depth === parts.length - 1;
  const key = parts[depth] as string;
  const existing = isLeaf ? childOf(parent, key) : MISSING;
  const value = modify(existing);
  if (value === MISSING || (value === UNSET && existing === MISSING)) return;
  if (value === UNSET) removeChild(parent, key);
  else setChild(parent, key, isLeaf ? value : nest(parts.slice(depth + 1), value), parts);
}

/** The value at a path without positional parts, or MISSING. */
export function valueAt(document: unknown, parts: readonly string[]): unknown {
  let value: unknown = document;
  for (const part of parts) {
    value = childOf(value, part);
    if (value === MISSING) return MISSING;
  }
  return value;
}

function findParent(document: Doc, parts: readonly string[]): { parent: unknown; depth: number } {
  let parent: unknown = document;
  for (let depth = 0; depth < parts.length - 1; depth++) {
    const child = childOf(parent, parts[depth] as string);
    if (child === MISSING) return { parent, depth };
    parent = child;
  }
  return { parent, depth: parts.length - 1 };
}

function childOf(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) {
    return isPosition(key) && Number(key) < parent.length ? parent[Number(key)] : MISSING;
  }
  return isDocument(parent) && Object.hasOwn(parent, key) ? parent[key] : MISSING;
}

function removeChild(parent: unknown, key: string): void {
  if (Array.isArray(parent)) parent[Number(key)] = null;
  else delete (parent as Doc)[key];
}

function setChild(parent: unknown, key: string, value: unknown, parts: readonly string[]): void {
  if (isDocument(parent)) {
    setField(parent, key, value);
    return;
  }
  if (!Array.isArray(parent) || !isPosition(key)) {
    throw commandError('PathNotViable', `Cannot create field '${key}' in element at '${parts.join('.')}'`);
  }
  if (Number(key) > parent.length) throw notServed('setting a position beyond the end of an array');
  parent[Number(key)] = value;
}

function nest(parts: readonly string[], value: unknown): unknown {
  return parts.reduceRight<unknown>((inner, part) => {
    const outer: Doc = {};
    setField(outer, part, inner);
    return outer;
  }, value);
}

/** Returns whether a path component can be a position in an array. */
function isPosition(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}
