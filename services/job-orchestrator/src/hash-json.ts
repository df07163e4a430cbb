import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a value as JSON, in which the order of the members of objects does not matter. */
export function hashJson(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value, inOrder)).digest();
}

/** Puts the members of every object in one order. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
