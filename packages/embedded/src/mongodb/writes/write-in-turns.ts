import { decodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import type { Pacer } from '../query/pacer.ts';
import type { PreparedQuery } from '../query/prepare-query.ts';
import { type Match, runQuery } from '../query/run-query.ts';
import type { Collection } from '../storage/collection.ts';
import type { RecordId } from '../storage/record-keys.ts';

/** Finds the first document of a query, in its order. */
export async function findTarget(
  collection: Collection,
  query: PreparedQuery,
  pacer: Pacer,
): Promise<Match | undefined> {
  for await (const [match] of runQuery({ collection, ...query, skip: 0, limit: 1, pacer })) return match;
  return undefined;
}

/** Collects the ids of all documents that a query finds, before any is changed, so that none is met twice. */
export async function findTargets(
  collection: Collection,
  query: PreparedQuery,
  pacer: Pacer,
): Promise<RecordId[]> {
  const targets: RecordId[] = [];
  for await (const batch of runQuery({ collection, ...query, sort: [], skip: 0, limit: 0, pacer })) {
    for (const { recordId } of batch) targets.push(recordId);
  }
  return targets;
}

/** Reads a document again, if it still matches: others may have changed it since it was found. */
export function rereadTarget(
  collection: Collection,
  recordId: RecordId,
  query: PreparedQuery,
): Match | undefined {
  const raw = collection.get(recordId);
  if (raw === undefined) return undefined;
  const document: Doc = decodeDocument(raw);
  return query.matches(document) ? { recordId, raw, document } : undefined;
}

interface TurnDeps {
  readonly collection: Collection;
  readonly pacer: Pacer;
}

/**
 * Does the work for one item after the other, in transactions no longer than a turn, between which other work runs. The
 * work returns whether to continue; its changes so far are kept either way.
 */
export async function writeInTurns<Item>(
  items: readonly Item[],
  { collection, pacer }: TurnDeps,
  work: (item: Item, index: number) => boolean,
): Promise<void> {
  let next = 0;
  while (next < items.length) {
    if (next > 0) await pacer.nextTurn();
    pacer.check();
    collection.write(() => {
      do {
        const goesOn = work(items[next] as Item, next);
        next = goesOn ? next + 1 : items.length;
      } while (next < items.length && !pacer.isTurnOver);
    });
  }
}
