import { decodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { type PreparedQuery, prepareQuery } from '../query/find-query.ts';
import type { Pacer } from '../query/pacer.ts';
import type { Match } from '../query/run-query.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import { type CompiledUpdate, compileUpdate } from '../update/compile-update.ts';
import { matchedPosition } from '../update/matched-position.ts';
import { encodeChecked } from './encode-checked.ts';
import { findTarget, findTargets, rereadTarget } from './find-targets.ts';
import { insertDocument } from './insert-document.ts';
import { documentToUpsert } from './upsert-document.ts';
import { writeInTurns } from './write-in-turns.ts';

/** One update statement. */
export interface UpdateStatement {
  readonly filter: Doc;
  readonly update: unknown;
  readonly isMulti: boolean;
  readonly isUpsert: boolean;
  readonly arrayFilters: readonly unknown[];
  readonly sort: Doc;
  readonly hint: unknown;
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
  readonly scope: ExpressionScope;
}

const MOST_ATTEMPTS = 100;
const NOTHING: UpdateOutcome = { matched: 0, modified: 0 };

/** Runs one update statement: each document whole or not at all; a multi-update in several transactions. */
export async function updateDocuments(statement: UpdateStatement, deps: UpdateDeps): Promise<UpdateOutcome> {
  const { scope } = deps;
  const compiled = compileUpdate(statement.update, statement.arrayFilters, scope);
  const collection = deps.catalog.find(deps.namespace);
  const query = prepareQuery(collection ?? deps.catalog.nowhere, withoutHint(statement, collection), scope);
  if (collection === undefined) {
    return statement.isUpsert ? upsert(deps.catalog.findOrCreate(deps.namespace), query, compiled) : NOTHING;
  }
  const outcome = statement.isMulti
    ? await updateMany(collection, query, compiled, deps)
    : await updateOne(collection, query, compiled, deps);
  if (outcome.matched > 0 || !statement.isUpsert) return outcome;
  return await upsertOrRetry(statement, deps, () => upsert(collection, query, compiled));
}

function withoutHint(statement: UpdateStatement, collection: Collection | undefined) {
  const { filter, sort, hint } = statement;
  return collection === undefined ? { filter, sort } : { filter, sort, hint };
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
  compiled: CompiledUpdate,
  { pacer, scope }: UpdateDeps,
): Promise<UpdateOutcome> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const found = await findTarget(collection, query, pacer);
    if (found === undefined) return NOTHING;
    const isCurrent = collection.get(found.recordId)?.equals(found.raw) === true;
    if (isCurrent) return collection.write(() => applyTo(collection, found, query, compiled, scope));
    pacer.check();
  }
  return NOTHING;
}

async function updateMany(
  collection: Collection,
  query: PreparedQuery,
  compiled: CompiledUpdate,
  { pacer, scope }: UpdateDeps,
): Promise<UpdateOutcome> {
  const targets = await findTargets(collection, query, pacer);
  let matched = 0;
  let modified = 0;
  let failure: CommandError | undefined;
  await writeInTurns(targets, { collection, pacer }, (recordId) => {
    const current = rereadTarget(collection, recordId, query);
    if (current === undefined) return true;
    try {
      modified += applyTo(collection, current, query, compiled, scope).modified;
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
function applyTo(
  collection: Collection,
  { recordId, raw, document }: Match,
  query: PreparedQuery,
  compiled: CompiledUpdate,
  scope: ExpressionScope,
): UpdateOutcome {
  const positionOf = (path: string) => matchedPosition(query.filter, document, path, scope);
  const updated = compiled.apply(document, { isInsert: false, positionOf });
  const encoded = encodeChecked(updated);
  if (encoded.equals(raw)) return { matched: 1, modified: 0, before: document, after: document };
  collection.replace(recordId, document, encoded, updated);
  return { matched: 1, modified: 1, before: document, after: updated };
}

function upsert(collection: Collection, query: PreparedQuery, compiled: CompiledUpdate): UpdateOutcome {
  const made = documentToUpsert(query.filter, compiled);
  const { document, raw } = collection.write(() => insertDocument(collection, made));
  return { matched: 0, modified: 0, upsertedId: document._id, after: decodeDocument(raw) };
}
