import { errorMessage } from '../../error-code.ts';
import { damagedDataFile } from '../../lmdb-file.ts';
import { decodeDocument } from '../bson/bson-codec.ts';
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';

/** Bounds of a verification, and the receiver of what it leaves out. */
export interface VerifyOptions {
  readonly dataFile: string;
  readonly maxMs: number;
  readonly warn: (details: object, message: string) => void;
}

/**
 * Reads every document: each has to be one, and to be found by its `_id`. Throws a `DamagedFileError` at the first that is
 * not. LMDB keeps no checksums, so a value that has changed into another valid one is not seen.
 */
export function verifyDocuments(catalog: Catalog, { dataFile, maxMs, warn }: VerifyOptions): void {
  const endMs = performance.now() + maxMs;
  let checked = 0;
  for (const collection of catalog.list()) {
    for (const { recordId, raw } of collection.scan()) {
      const problem = problemOf(collection, recordId, raw);
      if (problem !== undefined)
        throw damagedDataFile(dataFile, `document ${recordId} of ${collection.namespace} ${problem}`);
      checked += 1;
      if (performance.now() < endMs) continue;
      warn(
        { checked },
        'The database was not closed; its first documents are sound, and the rest is not checked.',
      );
      return;
    }
  }
}

function problemOf(collection: Collection, recordId: number, raw: Buffer): string | undefined {
  const [byId] = collection.indexes;
  try {
    const keys = byId?.keysOf(decodeDocument(raw)).keys ?? [];
    const isFound = keys.every(({ bytes }) => byId?.find(bytes) === recordId);
    return isFound ? undefined : 'is not found by its _id';
  } catch (error) {
    return `cannot be read (${errorMessage(error)})`;
  }
}
