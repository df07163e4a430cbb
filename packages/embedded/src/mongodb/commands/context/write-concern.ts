import { type Doc, isDocument, isNumeric } from '../../bson/bson-types.ts';
import { isTrue } from '../../bson/is-true.ts';
import { toDouble } from '../../bson/numeric-order.ts';
import { commandError } from '../../errors/command-error.ts';
import type { KeyValueStore } from '../../store/key-value-store.ts';

/** A write concern: with `isJournaled` the reply waits until the write is on disk. */
export interface WriteConcern {
  readonly isJournaled: boolean;
}

const KNOWN_FIELDS = new Set(['w', 'j', 'fsync', 'wtimeout', 'wtimeoutMS', 'provenance']);

/** `j: true` and `w: "majority"` wait for the disk (`writeConcernMajorityJournalDefault`); more than one node is refused. */
export function parseWriteConcern(body: Doc): WriteConcern {
  const { writeConcern } = body;
  if (writeConcern === undefined) return { isJournaled: false };
  if (!isDocument(writeConcern)) throw commandError('TypeMismatch', 'writeConcern must be an object');
  const unknown = Object.keys(writeConcern).find((field) => !KNOWN_FIELDS.has(field));
  if (unknown !== undefined)
    throw commandError('FailedToParse', `unrecognized write concern field: ${unknown}`);
  const { w, j, fsync } = writeConcern;
  if (isNumeric(w) && toDouble(w) > 1) {
    throw commandError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
  }
  if (typeof w === 'string' && w !== 'majority') {
    throw commandError(
      'BadValue',
      `cannot use non-majority 'w' mode ${w} when a host is not a member of a replica set`,
    );
  }
  const isMajority = w === 'majority' && j !== false;
  return { isJournaled: isMajority || isTrue(j) || isTrue(fsync) };
}

export async function awaitWriteConcern({ isJournaled }: WriteConcern, store: KeyValueStore): Promise<void> {
  if (isJournaled) await store.flush();
}
