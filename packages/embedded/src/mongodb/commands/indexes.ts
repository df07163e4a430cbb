import { areEqual } from '../bson/compare-values.ts';
import { commandError } from '../command-error.ts';
import { describeIndex, type IndexSpec, parseIndexSpec } from '../indexes/parse-index-spec.ts';
import type { Collection } from '../storage/collection.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { oneBatch, openCursor } from './cursor-reply.ts';

const MOST_INDEXES = 64;

/** https://www.mongodb.com/docs/manual/reference/command/createIndexes/: built at once, in one transaction. */
export const createIndexes: Command = {
  fields: ['indexes'],
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
  fields: ['cursor'],
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const collection = context.state.catalog.find(namespace);
    if (collection === undefined) throw commandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const cursor = readArguments(command, 'listIndexes').document('cursor');
    const batchSize = readArguments(cursor, 'listIndexes.cursor').natural('batchSize');
    const source = oneBatch(collection.indexes.map(({ spec }) => describeIndex(spec)));
    return openCursor(source, { namespace, batchSize }, context);
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/dropIndexes/: one index, by its name. */
export const dropIndexes: Command = {
  fields: ['index'],
  isWrite: true,
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const { catalog } = context.state;
    const collection = catalog.find(namespace);
    if (collection === undefined) throw commandError('NamespaceNotFound', `ns not found ${namespace}`);
    const nIndexesWas = collection.indexes.length;
    const name = readArguments(command, 'dropIndexes').text('index');
    const index = collection.indexes.find(({ spec }) => spec.name === name);
    if (index === undefined) throw commandError('IndexNotFound', `index not found with name [${name}]`);
    if (name === '_id_') throw commandError('InvalidOptions', 'cannot drop _id index');
    catalog.dropIndexes(collection, [index]);
    return { nIndexesWas };
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
