import { randomUUID } from 'node:crypto';
import { Binary } from 'bson';
import { decodeDocument, encodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { describeIndex, type IndexSpec, parseIndexSpec } from '../indexes/parse-index-spec.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import { Collection } from './collection.ts';
import { CollectionIndex } from './collection-index.ts';
import { type Ident, identKey } from './record-keys.ts';

const COLLECTION = 'collection:';
const GARBAGE = 'garbage:';
const NEXT_IDENT = 'next-ident';
const PURGE_CHUNK = 2000;

interface CatalogDeps {
  readonly store: KeyValueStore;
  /** Called when leftovers of dropped collections could not be removed; the next drop or start tries again. */
  readonly onPurgeError: (error: unknown) => void;
}

/** The collections and indexes, in memory and on disk alike; every change is one transaction. */
export class Catalog {
  readonly #store: KeyValueStore;
  readonly #onPurgeError: (error: unknown) => void;
  readonly #collections = new Map<string, Collection>();
  #isClosing = false;
  #purging: Promise<void> | undefined;

  constructor({ store, onPurgeError }: CatalogDeps) {
    this.#store = store;
    this.#onPurgeError = onPurgeError;
    for (const { key, value } of store.catalog.getRange({ start: Buffer.from(COLLECTION) })) {
      const name = key.toString();
      if (name.startsWith(COLLECTION)) this.#load(name.slice(COLLECTION.length), decodeDocument(value));
    }
    this.#purge();
  }

  /** Returns the collection of a namespace (`database.collection`). */
  find(namespace: string): Collection | undefined {
    return this.#collections.get(namespace);
  }

  /** An empty collection, not stored, against which a query on a missing one is checked. */
  get nowhere(): Collection {
    return this.#assemble('', 0, Buffer.alloc(16), []);
  }

  /** Returns all collections, or those of one database. */
  list(database?: string): Collection[] {
    const all = [...this.#collections.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
    return database === undefined ? all : all.filter(({ namespace }) => namespace.startsWith(`${database}.`));
  }

  findOrCreate(namespace: string): Collection {
    return this.find(namespace) ?? this.create(namespace);
  }

  create(namespace: string): Collection {
    const collection = this.#store.write(() => {
      const id = parseIndexSpec({ key: { _id: 1 }, name: '_id_' });
      const made = this.#assemble(namespace, this.#takeIdent(), uuidBytes(), [
        new CollectionIndex(id, this.#takeIdent(), false, this.#store.entries),
      ]);
      this.#save(made);
      return made;
    });
    this.#collections.set(namespace, collection);
    return collection;
  }

  drop(collections: readonly Collection[]): void {
    this.#store.write(() => {
      for (const collection of collections) {
        this.#store.catalog.remove(Buffer.from(COLLECTION + collection.namespace));
        this.#discard(collection.ident);
        for (const index of collection.indexes) this.#discard(index.ident);
      }
    });
    for (const collection of collections) {
      collection.isDropped = true;
      this.#collections.delete(collection.namespace);
    }
    this.#purge();
  }

  /** Adds indexes and builds them from the existing documents, all or none. */
  addIndexes(collection: Collection, specs: readonly IndexSpec[]): void {
    const added = this.#store.write(() => {
      const indexes = specs.map((spec) => {
        const index = new CollectionIndex(spec, this.#takeIdent(), false, this.#store.entries);
        collection.build(index);
        return index;
      });
      this.#save(collection, [...collection.indexes, ...indexes]);
      return indexes;
    });
    collection.indexes.push(...added);
  }

  dropIndexes(collection: Collection, indexes: readonly CollectionIndex[]): void {
    const kept = collection.indexes.filter((index) => !indexes.includes(index));
    this.#store.write(() => {
      for (const index of indexes) this.#discard(index.ident);
      this.#save(collection, kept);
    });
    collection.indexes.splice(0, collection.indexes.length, ...kept);
    this.#purge();
  }

  /** Stops the removal of leftovers; the rest is removed after the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#purging;
  }

  /** Removes the data of dropped collections and indexes in the background, in small steps. */
  #purge(): void {
    this.#purging ??= this.#purgeAll()
      .catch(this.#onPurgeError)
      .finally(() => {
        this.#purging = undefined;
      });
  }

  async #purgeAll(): Promise<void> {
    while (!this.#isClosing) {
      await new Promise((resolve) => setImmediate(resolve));
      const [garbage] = this.#store.catalog.getKeys({ start: Buffer.from(GARBAGE), limit: 1 });
      if (garbage?.toString().startsWith(GARBAGE) !== true) return;
      this.#purgeSome(garbage);
    }
  }

  #purgeSome(garbage: Buffer): void {
    const ident = Number(garbage.toString().slice(GARBAGE.length));
    const range = { start: identKey(ident), end: identKey(ident + 1), limit: PURGE_CHUNK };
    this.#store.write(() => {
      let removed = 0;
      for (const table of [this.#store.records, this.#store.entries]) {
        for (const key of [...table.getKeys(range)]) {
          table.remove(key);
          removed++;
        }
      }
      if (removed === 0) this.#store.catalog.remove(garbage);
    });
  }

  #load(namespace: string, saved: Doc): void {
    const indexes = (saved.indexes as Doc[]).map(
      ({ spec, ident, isMultikey }) =>
        new CollectionIndex(parseIndexSpec(spec), ident as Ident, isMultikey as boolean, this.#store.entries),
    );
    const uuid = Buffer.from((saved.uuid as Binary).value());
    this.#collections.set(namespace, this.#assemble(namespace, saved.ident as Ident, uuid, indexes));
  }

  #assemble(namespace: string, ident: Ident, uuid: Buffer, indexes: CollectionIndex[]): Collection {
    const onMultikey = (collection: Collection, index: CollectionIndex) => {
      index.isMultikey = true;
      if (!collection.indexes.includes(index)) return;
      this.#save(collection);
      index.isMultikeySaved = true;
    };
    return new Collection({ namespace, ident, uuid, indexes, store: this.#store, onMultikey });
  }

  #save(collection: Collection, indexes: readonly CollectionIndex[] = collection.indexes): void {
    const saved = {
      ident: collection.ident,
      uuid: new Binary(collection.uuid, Binary.SUBTYPE_UUID),
      indexes: indexes.map((index) => ({
        spec: describeIndex(index.spec),
        ident: index.ident,
        isMultikey: index.isMultikey,
      })),
    };
    this.#store.catalog.put(Buffer.from(COLLECTION + collection.namespace), encodeDocument(saved));
  }

  #discard(ident: Ident): void {
    this.#store.catalog.put(Buffer.from(GARBAGE + ident), Buffer.alloc(0));
  }

  #takeIdent(): Ident {
    const key = Buffer.from(NEXT_IDENT);
    const ident = this.#store.catalog.get(key)?.readUInt32BE() ?? 1;
    this.#store.catalog.put(key, identKey(ident + 1));
    return ident;
  }
}

function uuidBytes(): Buffer {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
}
