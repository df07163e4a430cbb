import { ObjectId } from 'bson';
import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { type CommandError, commandError } from '../command-error.ts';
import { compileFilter, type Matcher } from '../filter/compile-filter.ts';
import { fitKey } from '../indexes/encode-key.ts';
import { type ExtractedKeys, extractKeys, type IndexKey } from '../indexes/extract-keys.ts';
import type { IndexSpec } from '../indexes/parse-index-spec.ts';
import type { Table } from '../store/key-value-store.ts';
import { entryKey, entryValue, type Ident, type RecordId, recordIdOfEntry } from './record-keys.ts';

const NO_KEYS: ExtractedKeys = { keys: [], isMultikey: false };

/** One index of a collection: the keys of documents, and the entries that hold them. */
export class CollectionIndex {
  readonly spec: IndexSpec;
  readonly ident: Ident;
  /** True when some document has, or once had, an array on an indexed path; never reset. */
  isMultikey: boolean;
  isMultikeySaved: boolean;
  readonly #table: Table;
  readonly #isCovered: Matcher | undefined;

  constructor(spec: IndexSpec, ident: Ident, isMultikey: boolean, table: Table) {
    this.spec = spec;
    this.ident = ident;
    this.isMultikey = isMultikey;
    this.isMultikeySaved = isMultikey;
    this.#table = table;
    const filter = spec.partialFilterExpression;
    this.#isCovered = filter && compileFilter(filter);
  }

  /** Returns the keys of a document; none when the partial filter or sparseness leaves it out. */
  keysOf(document: Doc): ExtractedKeys {
    return this.#isCovered?.(document) === false ? NO_KEYS : extractKeys(this.spec, document);
  }

  /** Throws DuplicateKey when another record than `owner` holds one of the keys of a unique index. */
  checkUnique(keys: readonly IndexKey[], owner: RecordId | undefined, namespace: string): void {
    if (!this.spec.isUnique) return;
    for (const key of keys) {
      const holder = this.#table.get(entryKey(this.ident, fitKey(key.bytes).bytes, undefined));
      if (holder !== undefined && recordIdOfEntry(holder) !== owner) {
        throw duplicateKeyError(namespace, this.spec, key.values);
      }
    }
  }

  /** Adds entries; inside a write. */
  add(keys: readonly IndexKey[], recordId: RecordId): void {
    for (const key of keys) {
      const { bytes, isTruncated } = fitKey(key.bytes);
      this.#table.put(this.#entryKey(bytes, recordId), entryValue(recordId, isTruncated));
    }
  }

  /** Removes entries; inside a write. */
  remove(keys: readonly IndexKey[], recordId: RecordId): void {
    for (const key of keys) this.#table.remove(this.#entryKey(fitKey(key.bytes).bytes, recordId));
  }

  /** Returns the record that holds a key of this unique index. */
  find(encoded: Buffer): RecordId | undefined {
    const value = this.#table.get(entryKey(this.ident, fitKey(encoded).bytes, undefined));
    return value && recordIdOfEntry(value);
  }

  #entryKey(encoded: Buffer, recordId: RecordId): Buffer {
    return entryKey(this.ident, encoded, this.spec.isUnique ? undefined : recordId);
  }
}

/** E11000 as MongoDB words it, with keyPattern and keyValue. */
function duplicateKeyError(namespace: string, spec: IndexSpec, values: readonly unknown[]): CommandError {
  const keyValue: Doc = {};
  spec.fields.forEach((field, i) => {
    setField(keyValue, field.path, values[i] ?? null);
  });
  const message = `E11000 duplicate key error collection: ${namespace} index: ${spec.name} dup key: ${format(keyValue)}`;
  return commandError('DuplicateKey', message, { keyPattern: spec.key, keyValue });
}

function format(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[ ${value.map(format).join(', ')} ]`;
  if (isDocument(value)) {
    const fields = Object.entries(value).map(([key, item]) => `${key}: ${format(item)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return String(value);
}
