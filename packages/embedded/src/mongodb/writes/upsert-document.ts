import { cloneValue } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { commandError } from '../errors/command-error.ts';
import type { FilterNode } from '../filter/parse-filter.ts';
import { MISSING } from '../paths/match-path.ts';
import { modifyAt, valueAt } from '../paths/update-path.ts';
import type { CompiledUpdate } from '../update/compile-update.ts';

/**
 * Returns the document that an upsert inserts: "the equality clauses from the query parameter", then the update; a replacement
 * takes only `_id` from the query.
 */
export function documentToUpsert(filter: FilterNode, compiled: CompiledUpdate): Doc {
  const seed: Doc = {};
  for (const { path, value } of equalities(filter)) {
    if (compiled.kind === 'replacement' && path !== '_id') continue;
    seedField(seed, path, value);
  }
  return compiled.apply(seed, { isInsert: true, positionOf: () => undefined });
}

interface Equality {
  readonly path: string;
  readonly value: unknown;
}

function equalities(node: FilterNode): Equality[] {
  if (node.kind === 'and') return node.nodes.flatMap(equalities);
  if (node.kind === 'or' && node.nodes.length === 1) return node.nodes.flatMap(equalities);
  if (node.kind !== 'field') return [];
  if (node.operator === '$eq') return [{ path: node.path, value: node.operand }];
  const isSingle = node.operator === '$in' && Array.isArray(node.operand) && node.operand.length === 1;
  return isSingle ? [{ path: node.path, value: (node.operand as unknown[])[0] }] : [];
}

function seedField(seed: Doc, path: string, value: unknown): void {
  const parts = path.split('.');
  const existing = valueAt(seed, parts);
  if (existing !== MISSING && !areEqual(existing, value)) {
    throw commandError(
      'NotSingleValueField',
      `cannot infer query fields to set, path '${path}' is matched twice`,
    );
  }
  modifyAt(seed, parts, () => cloneValue(value));
}
