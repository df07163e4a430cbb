import { ObjectId } from 'bson';
import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { type CommandError, commandError } from '../errors/command-error.ts';
import type { IndexSpec } from '../indexes/index-spec.ts';

/** E11000 as MongoDB words it, with keyPattern and keyValue. */
export function duplicateKeyError(
  namespace: string,
  spec: IndexSpec,
  values: readonly unknown[],
): CommandError {
  const keyValue: Doc = {};
  spec.fields.forEach((field, i) => {
    setField(keyValue, field.path, values[i] ?? null);
  });
  const message = `E11000 duplicate key error collection: ${namespace} index: ${spec.name} dup key: ${format(keyValue)}`;
  return commandError('DuplicateKey', message, { keyPattern: spec.key, keyValue });
}

function format(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[ ${value.map(format).join(', ')} ]`;
  if (isDocument(value)) {
    const fields = Object.entries(value).map(([key, item]) => `${key}: ${format(item)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return String(value);
}
