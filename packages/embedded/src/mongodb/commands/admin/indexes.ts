import { type Doc, isDocument } from '../../bson/bson-types.ts';
import { areEqual } from '../../bson/compare-values.ts';
import { commandError } from '../../errors/command-error.ts';
import type { IndexSpec } from '../../indexes/index-spec.ts';
import { describeIndex, parseIndexSpec } from '../../indexes/parse-index-spec.ts';
import type { Collection } from '../../storage/collection.ts';
import type { CollectionIndex } from '../../storage/collection-index.ts';
import { readArguments } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { oneBatch, openCursor } from '../context/cursor-reply.ts';
import { namespaceOf } from '../context/namespace.ts';

const MOST_INDEXES = 64;

/** https://www.mongodb.com/docs/manual/reference/command/createIndexes/: built at once, in one transaction. */
export const createIndexes: Command = {
  fields: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
  isWrite: true,
  run: (command, context) => {
    const { catalog } = context.state;
    const namespace = namespaceOf(command, context);
    const args = readArguments(command, 'createIndexes');
    args.required('indexes');
    const specs = args.list('indexes').map(parseIndexSpec);
    if (specs.length === 0) throw commandError('BadValue', 'Must specify at least one index to create');
    const createdCollectionAutomatically = catalog.find(namespace) === undefined;
    const collection = catalog.findOrCreate(namespace);
    const numIndexesBefore = collection.indexes.length;
    const added = newIndexes(collection, specs);
    if (numIndexesBefore + added.length > MOST_INDEXES) {
      throw commandError('CannotCreateIndex', `add index fails, too many indexes for ${namespace}`);
    }
    if (added.length > 0) catalog.addIndexes(collection, added);
    return {
      numIndexesBefore,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically,
      ...(added.length === 0 && { note: 'all indexes already exist' }),
    };
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/listIndexes/ */
export const listIndexes: Command = {
  fields: ['cursor', 'includeIndexBuildInfo'],
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const collection = context.state.catalog.find(namespace);
    if (collection === undefined) throw commandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const cursor = readArguments(command, 'listIndexes').document('cursor');
    const batchSize = readArguments(cursor, 'listIndexes.cursor').natural('batchSize');
    const source = oneBatch(collection.indexes.map(({ spec }) => describeIndex(spec)));
    return openCursor(source, { namespace, batchSize, isSingleBatch: false, isPatient: false }, context);
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/dropIndexes/ */
export const dropIndexes: Command = {
  fields: ['index'],
  isWrite: true,
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const { catalog } = context.state;
    const collection = catalog.find(namespace);
    if (collection === undefined) throw commandError('NamespaceNotFound', `ns not found ${namespace}`);
    const nIndexesWas = collection.indexes.length;
    const wanted = readArguments(command, 'dropIndexes').required('index');
    const dropped = (Array.isArray(wanted) ? wanted : [wanted]).flatMap((name) =>
      findDropped(collection, name),
    );
    catalog.dropIndexes(collection, dropped);
    return { nIndexesWas, ...(wanted === '*' && { msg: 'non-_id indexes dropped for collection' }) };
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/collMod/: an index's TTL and visibility. */
export const collMod: Command = {
  fields: ['index'],
  isWrite: true,
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const { catalog } = context.state;
    const collection = catalog.find(namespace);
    if (collection === undefined) throw commandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const change = readArguments(command, 'collMod').document('index');
    const index = collection.indexes.find(
      ({ spec }) => spec.name === change.name || areEqual(spec.key, change.keyPattern),
    );
    if (index === undefined) throw commandError('IndexNotFound', `cannot find index for ns ${namespace}`);
    const { name, keyPattern, ...options } = change;
    const unknown = Object.keys(options).find(
      (option) => option !== 'expireAfterSeconds' && option !== 'hidden',
    );
    if (unknown !== undefined)
      throw commandError('IDLUnknownField', `BSON field 'collMod.index.${unknown}' is an unknown field.`);
    catalog.changeIndex(collection, index, parseIndexSpec({ ...describeIndex(index.spec), ...options }));
    return {};
  },
};

/** Returns the indexes that do not exist yet. Throws when one conflicts with an existing index. */
function newIndexes(collection: Collection, specs: readonly IndexSpec[]): IndexSpec[] {
  const added: IndexSpec[] = [];
  for (const spec of specs) {
    const known = [...collection.indexes.map((index) => index.spec), ...added];
    const sameKey = known.find((other) => isSameKey(other, spec));
    const sameName = known.find((other) => other.name === spec.name);
    if (sameKey === undefined && sameName === undefined) {
      added.push(spec);
      continue;
    }
    refuseContradiction(sameKey, sameName, spec);
  }
  return added;
}

function isSameKey(left: IndexSpec, right: IndexSpec): boolean {
  return (
    areEqual(left.key, right.key) &&
    areEqual(left.partialFilterExpression ?? null, right.partialFilterExpression ?? null)
  );
}

function refuseContradiction(
  sameKey: IndexSpec | undefined,
  sameName: IndexSpec | undefined,
  spec: IndexSpec,
): void {
  const shown = JSON.stringify(describeIndex(spec));
  if (sameKey === undefined) {
    throw commandError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${shown}`,
    );
  }
  if (sameKey !== sameName) {
    throw commandError('IndexOptionsConflict', `Index already exists with a different name: ${sameKey.name}`);
  }
  const isSame =
    sameKey.isUnique === spec.isUnique &&
    sameKey.isSparse === spec.isSparse &&
    sameKey.expireAfterSeconds === spec.expireAfterSeconds;
  if (isSame) return;
  const code =
    sameKey.expireAfterSeconds !== spec.expireAfterSeconds ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict';
  throw commandError(
    code,
    `An equivalent index already exists with the same name but different options. Requested index: ${shown}, existing index: ${JSON.stringify(describeIndex(sameKey))}`,
  );
}

function findDropped(collection: Collection, wanted: unknown): CollectionIndex[] {
  if (wanted === '*') return collection.indexes.filter(({ spec }) => spec.name !== '_id_');
  const index = collection.indexes.find(({ spec }) =>
    isDocument(wanted) ? areEqual(spec.key, wanted as Doc) : spec.name === wanted,
  );
  if (index === undefined) {
    throw commandError(
      'IndexNotFound',
      `index not found with name [${isDocument(wanted) ? JSON.stringify(wanted) : String(wanted)}]`,
    );
  }
  if (index.spec.name === '_id_') throw commandError('InvalidOptions', 'cannot drop _id index');
  return [index];
}
