import type { Doc } from '../bson/bson-types.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import { prepareQuery } from '../query/find-query.ts';
import type { Pacer } from '../query/pacer.ts';
import type { Match } from '../query/run-query.ts';
import type { Collection } from '../storage/collection.ts';
import { findTarget, findTargets, rereadTarget } from './find-targets.ts';
import { writeInTurns } from './write-in-turns.ts';

interface DeleteStatement {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly hint: unknown;
}

interface DeleteDeps {
  readonly collection: Collection;
  readonly pacer: Pacer;
  readonly scope: ExpressionScope;
}

const MOST_ATTEMPTS = 100;

/** Removes the first document that matches and returns it as it was. */
export async function deleteOne(statement: DeleteStatement, deps: DeleteDeps): Promise<Match | undefined> {
  const { collection, pacer, scope } = deps;
  const query = prepareQuery(collection, statement, scope);
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
  const { collection, pacer, scope } = deps;
  const query = prepareQuery(collection, statement, scope);
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
