import { Long } from 'bson';
import { cloneValue, setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { locationError } from '../errors/command-error.ts';
import { MISSING } from '../paths/match-path.ts';
import { modifyAt, UNSET, valueAt } from '../paths/update-path.ts';
import { type MakeStage, perBatch } from './stage.ts';

interface Unwind {
  readonly parts: readonly string[];
  readonly indexField: string | undefined;
  readonly keepsEmpty: boolean;
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/unwind/ */
export const makeUnwind: MakeStage = (operand, deps) => {
  const unwind = parseUnwind(operand);
  return perBatch((batch) => batch.flatMap((document) => unwindDocument(document, unwind)), deps);
};

function parseUnwind(operand: unknown): Unwind {
  const spec = isDocument(operand) ? operand : { path: operand };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = spec;
  if (typeof path !== 'string') throw locationError(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$') || path.length < 2) {
    throw locationError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  }
  if (
    includeArrayIndex !== undefined &&
    (typeof includeArrayIndex !== 'string' || includeArrayIndex === '')
  ) {
    throw locationError(
      28810,
      'expected a non-empty string for the includeArrayIndex option to $unwind stage',
    );
  }
  return {
    parts: path.slice(1).split('.'),
    indexField: includeArrayIndex as string | undefined,
    keepsEmpty: preserveNullAndEmptyArrays === true,
  };
}

function unwindDocument(document: Doc, { parts, indexField, keepsEmpty }: Unwind): Doc[] {
  const value = valueAt(document, parts);
  const isEmptyArray = Array.isArray(value) && value.length === 0;
  if (value === MISSING || value === null || value === undefined || isEmptyArray) {
    if (!keepsEmpty) return [];
    const kept = isEmptyArray ? changed(document, parts, UNSET) : { ...document };
    return [numbered(kept, indexField, null)];
  }
  if (!Array.isArray(value)) return [numbered({ ...document }, indexField, null)];
  return value.map((element, i) =>
    numbered(changed(document, parts, element), indexField, Long.fromNumber(i)),
  );
}

function changed(document: Doc, parts: readonly string[], value: unknown): Doc {
  const root = parts[0] as string;
  const copy = { ...document };
  if (parts.length > 1) setField(copy, root, cloneValue(copy[root]));
  modifyAt(copy, parts, () => value);
  return copy;
}

function numbered(document: Doc, indexField: string | undefined, index: unknown): Doc {
  if (indexField !== undefined) modifyAt(document, indexField.split('.'), () => index);
  return document;
}
