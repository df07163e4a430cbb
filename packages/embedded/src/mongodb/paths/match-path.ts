import { isDocument } from '../bson/bson-types.ts';

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

/** All values that a path reaches, arrays at its end included whole. */
export function valuesAtPath(document: unknown, parts: readonly string[]): unknown[] {
  const values: unknown[] = [];
  someAtPath(document, parts, (value) => {
    if (value !== MISSING) values.push(value);
    return false;
  });
  return values;
}

/** Returns whether a path component can be a position in an array. */
export function isPosition(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}
