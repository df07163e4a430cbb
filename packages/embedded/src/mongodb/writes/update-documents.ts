import { cloneValue, decodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { areEqual } from '../bson/compare-values.ts';
import { MISSING, modifyAt, valueAt } from '../bson/paths.ts';
import { CommandError, commandError } from '../command-error.ts';
import type { FilterNode } from '../filter/parse-filter.ts';
import type { Pacer } from '../query/pacer.ts';
import { type PreparedQuery, prepareQuery } from '../query/prepare-query.ts';
import type { Match } from '../query/run-query.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import { compileUpdate, type Updater } from '../update/compile-update.ts';
import { encodeChecked, insertDocument } from './insert-document.ts';
import { findTarget, findTargets, rereadTarget, writeInTurns } from './write-in-turns.ts';

/** One update statement. */
export interface UpdateStatement {
  readonly filter: Doc;
  readonly update: unknown;
  readonly isMulti: boolean;
  readonly isUpsert: boolean;
  readonly sort: Doc;
}

/** Outcome of an update. `before` and `after` are set when it was about one document. */
export interface UpdateOutcome {
  readonly matched: number;
  readonly modified: number;
  readonly upsertedId?: unknown;
  readonly before?: Doc;
  readonly after?: Doc;
}

interface UpdateDeps {
  readonly catalog: Catalog;
  readonly namespace: string;
  readonly pacer: Pacer;
}

const MOST_ATTEMPTS = 100;
const NOTHING: UpdateOutcome = { matched: 0, modified: 0 };

/** Runs one update statement: each document whole or not at all; a multi-update in several transactions. */
export async function updateDocuments(statement: UpdateStatement, deps: UpdateDeps): Promise<UpdateOutcome> {
  const apply = compileUpdate(statement.update);
  const collection = deps.catalog.find(deps.namespace);
  const query = prepareQuery(collection ?? deps.catalog.nowhere, statement);
  if (collection === undefined) {
    return statement.isUpsert ? upsert(deps.catalog.findOrCreate(deps.namespace), query, apply) : NOTHING;
  }
  const outcome = statement.isMulti
    ? await updateMany(collection, query, apply, deps)
    : await updateOne(collection, query, apply, deps);
  if (outcome.matched > 0 || !statement.isUpsert) return outcome;
  return await upsertOrRetry(statement, deps, () => upsert(collection, query, apply));
}

/** Inserts, or updates when another client has inserted the same document in between, as MongoDB does. */
async function upsertOrRetry(
  statement: UpdateStatement,
  deps: UpdateDeps,
  insert: () => UpdateOutcome,
): Promise<UpdateOutcome> {
  try {
    return insert();
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 11000) throw error;
    const again = await updateDocuments({ ...statement, isUpsert: false }, deps);
    if (again.matched === 0) throw error;
    return again;
  }
}

async function updateOne(
  collection: Collection,
  query: PreparedQuery,
  apply: Updater,
  { pacer }: UpdateDeps,
): Promise<UpdateOutcome> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const found = await findTarget(collection, query, pacer);
    if (found === undefined) return NOTHING;
    const isCurrent = collection.get(found.recordId)?.equals(found.raw) === true;
    if (isCurrent) return collection.write(() => applyTo(collection, found, apply));
    pacer.check();
  }
  return NOTHING;
}

async function updateMany(
  collection: Collection,
  query: PreparedQuery,
  apply: Updater,
  { pacer }: UpdateDeps,
): Promise<UpdateOutcome> {
  const targets = await findTargets(collection, query, pacer);
  let matched = 0;
  let modified = 0;
  let failure: CommandError | undefined;
  await writeInTurns(targets, { collection, pacer }, (recordId) => {
    const current = rereadTarget(collection, recordId, query);
    if (current === undefined) return true;
    try {
      modified += applyTo(collection, current, apply).modified;
      matched++;
      return true;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failure = error;
      return false;
    }
  });
  if (failure !== undefined) throw failure;
  return { matched, modified };
}

/** Applies the update, inside a write. An unchanged document is not written. */
function applyTo(collection: Collection, { recordId, raw, document }: Match, apply: Updater): UpdateOutcome {
  const updated = apply(document, false);
  const encoded = encodeChecked(updated);
  if (encoded.equals(raw)) return { matched: 1, modified: 0, before: document, after: document };
  collection.replace(recordId, document, encoded, updated);
  return { matched: 1, modified: 1, before: document, after: updated };
}

function upsert(collection: Collection, query: PreparedQuery, apply: Updater): UpdateOutcome {
  const made = documentToUpsert(query.filter, apply);
  const { document, raw } = collection.write(() => insertDocument(collection, made));
  return { matched: 0, modified: 0, upsertedId: document._id, after: decodeDocument(raw) };
}

/** Returns the document that an upsert inserts: "the equality clauses from the query parameter", then the update. */
function documentToUpsert(filter: FilterNode, apply: Updater): Doc {
  const seed: Doc = {};
  for (const { path, value } of equalities(filter)) seedField(seed, path, value);
  return apply(seed, true);
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
