import { decodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import type { ExtractedKeys } from '../indexes/extract-keys.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import type { CollectionIndex } from './collection-index.ts';
import { type Ident, identKey, type RecordId, recordIdOfKey, recordKey } from './record-keys.ts';
import { countRange, type KeyRange, scanRange } from './scan-range.ts';

/** A stored document: its id in the store, and its bytes. */
export interface StoredRecord {
  readonly recordId: RecordId;
  readonly raw: Buffer;
}

interface CollectionParts {
  readonly namespace: string;
  readonly ident: Ident;
  readonly uuid: Buffer;
  readonly indexes: CollectionIndex[];
  readonly store: KeyValueStore;
  /** Stores that an index is multikey; called inside a write. */
  readonly onMultikey: (collection: Collection, index: CollectionIndex) => void;
}

/** The documents of one collection and their indexes, which change together or not at all. */
export class Collection {
  readonly namespace: string;
  readonly ident: Ident;
  readonly uuid: Buffer;
  readonly indexes: CollectionIndex[];
  isDropped = false;
  readonly #store: KeyValueStore;
  readonly #onMultikey: CollectionParts['onMultikey'];
  #nextRecordId: RecordId;

  constructor(parts: CollectionParts) {
    this.namespace = parts.namespace;
    this.ident = parts.ident;
    this.uuid = parts.uuid;
    this.indexes = parts.indexes;
    this.#store = parts.store;
    this.#onMultikey = parts.onMultikey;
    const [last] = scanRange(parts.store.records, this.#allRecords(), true);
    this.#nextRecordId = last === undefined ? 1 : recordIdOfKey(last.key) + 1;
  }

  get(recordId: RecordId): Buffer | undefined {
    return this.#store.records.get(recordKey(this.ident, recordId));
  }

  /** All records in order of insertion. */
  *scan(): Generator<StoredRecord, void, void> {
    for (const { key, value } of scanRange(this.#store.records, this.#allRecords(), false)) {
      this.#checkAlive();
      yield { recordId: recordIdOfKey(key), raw: value };
    }
  }

  /** The entries of an index within a range of its full keys. */
  *scanEntries(range: KeyRange, isReverse: boolean): Generator<{ key: Buffer; value: Buffer }, void, void> {
    for (const entry of scanRange(this.#store.entries, range, isReverse)) {
      this.#checkAlive();
      yield entry;
    }
  }

  /** Counts the entries of an index within a range of its full keys; yields numbers to be added up. */
  *countEntries(range: KeyRange): Generator<number, void, void> {
    for (const count of countRange(this.#store.entries, range)) {
      this.#checkAlive();
      yield count;
    }
  }

  /** Adds a document; throws DuplicateKey before anything is changed. Inside a write. */
  insert(raw: Buffer, document: Doc): RecordId {
    const keys = this.indexes.map((index) => this.#keysToAdd(index, document, undefined));
    const recordId = this.#nextRecordId++;
    this.#store.records.put(recordKey(this.ident, recordId), raw);
    this.indexes.forEach((index, i) => {
      index.add((keys[i] as ExtractedKeys).keys, recordId);
    });
    return recordId;
  }

  /** Replaces a document; throws DuplicateKey before anything is changed. Inside a write. */
  replace(recordId: RecordId, before: Doc, raw: Buffer, after: Doc): void {
    const keys = this.indexes.map((index) => this.#keysToAdd(index, after, recordId));
    this.#store.records.put(recordKey(this.ident, recordId), raw);
    this.indexes.forEach((index, i) => {
      const added = (keys[i] as ExtractedKeys).keys;
      const removed = index.keysOf(before).keys;
      const isSame = (key: Buffer) => (other: { bytes: Buffer }) => other.bytes.equals(key);
      index.remove(
        removed.filter((key) => !added.some(isSame(key.bytes))),
        recordId,
      );
      index.add(
        added.filter((key) => !removed.some(isSame(key.bytes))),
        recordId,
      );
    });
  }

  /** Removes a document. Inside a write. */
  remove(recordId: RecordId, document: Doc): void {
    this.#store.records.remove(recordKey(this.ident, recordId));
    for (const index of this.indexes) index.remove(index.keysOf(document).keys, recordId);
  }

  /** Fills a new index from the documents; throws DuplicateKey where they contradict it. Inside a write. */
  build(index: CollectionIndex): void {
    for (const { recordId, raw } of this.scan()) {
      index.add(this.#keysToAdd(index, decodeDocument(raw), recordId).keys, recordId);
    }
  }

  /** Runs changes to this collection as one transaction; what is known in memory follows a rollback. */
  write<T>(changes: () => T): T {
    try {
      return this.#store.write(changes);
    } catch (error) {
      for (const index of this.indexes) index.isMultikeySaved = false;
      throw error;
    }
  }

  #keysToAdd(index: CollectionIndex, document: Doc, owner: RecordId | undefined): ExtractedKeys {
    const extracted = index.keysOf(document);
    index.checkUnique(extracted.keys, owner, this.namespace);
    if (extracted.isMultikey && !index.isMultikeySaved) this.#onMultikey(this, index);
    return extracted;
  }

  #allRecords(): KeyRange {
    return { lower: identKey(this.ident), upper: identKey(this.ident + 1) };
  }

  #checkAlive(): void {
    if (!this.isDropped) return;
    throw commandError('QueryPlanKilled', `collection dropped: ${this.namespace}`);
  }
}
