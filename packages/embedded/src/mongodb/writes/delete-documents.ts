import type { Doc } from '../bson/bson-types.ts';
import type { Pacer } from '../query/pacer.ts';
import { prepareQuery } from '../query/prepare-query.ts';
import type { Match } from '../query/run-query.ts';
import type { Collection } from '../storage/collection.ts';
import { findTarget, findTargets, rereadTarget, writeInTurns } from './write-in-turns.ts';

interface DeleteStatement {
  readonly filter: Doc;
  readonly sort?: Doc;
}

interface DeleteDeps {
  readonly collection: Collection;
  readonly pacer: Pacer;
}

const MOST_ATTEMPTS = 100;

/** Removes the first document that matches and returns it as it was. */
export async function deleteOne(statement: DeleteStatement, deps: DeleteDeps): Promise<Match | undefined> {
  const { collection, pacer } = deps;
  const query = prepareQuery(collection, statement);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const found = await findTarget(collection, query, pacer);
    if (found === undefined) return undefined;
    if (collection.get(found.recordId)?.equals(found.raw) === true) {
      collection.write(() => collection.remove(found.recordId, found.document));
      return found;
    }
    pacer.check();
  }
  return undefined;
}

/** Removes all matching documents, in several transactions, and returns their number. */
export async function deleteMany(statement: DeleteStatement, deps: DeleteDeps): Promise<number> {
  const { collection, pacer } = deps;
  const query = prepareQuery(collection, statement);
  const targets = await findTargets(collection, query, pacer);
  let deleted = 0;
  await writeInTurns(targets, { collection, pacer }, (recordId) => {
    const current = rereadTarget(collection, recordId, query);
    if (current === undefined) return true;
    collection.remove(recordId, current.document);
    deleted++;
    return true;
  });
  return deleted;
}
