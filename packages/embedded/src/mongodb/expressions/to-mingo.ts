import { Double, Int32, Long } from 'bson';
import { type Doc, isDocument } from '../bson/bson-types.ts';

/** Returns the value with its numbers in mingo's form; parts that need no change are shared with the original. */
export function toMingo(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double || value instanceof Int32) return value.value;
  if (value instanceof Long) return value.toNumber();
  if (Array.isArray(value)) return mapChanged(value);
  return isDocument(value) ? mapFields(value) : value;
}

function mapChanged(values: unknown[]): unknown[] {
  const mapped = values.map(toMingo);
  return mapped.some((value, i) => value !== values[i]) ? mapped : values;
}

function mapFields(document: Doc): Doc {
  let copy: Doc | undefined;
  for (const key of Object.keys(document)) {
    const mapped = toMingo(document[key]);
    if (mapped === document[key] || Number.isNaN(mapped)) continue;
    copy ??= { ...document };
    copy[key] = mapped;
  }
  return copy ?? document;
}
