import { Binary } from 'bson';
import type { Doc } from '../../bson/bson-types.ts';
import { commandError, notServed } from '../../errors/command-error.ts';
import { compileFilter } from '../../filter/compile-filter.ts';
import { describeIndex, refuseCollation } from '../../indexes/parse-index-spec.ts';
import type { Collection } from '../../storage/collection.ts';
import { readArguments } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { oneBatch, openCursor } from '../context/cursor-reply.ts';
import { makeNamespace, namespaceOf } from '../context/namespace.ts';

const UNSERVED_OPTIONS = [
  ...[
    'capped',
    'timeseries',
    'clusteredIndex',
    'changeStreamPreAndPostImages',
    'validator',
    'viewOn',
    'pipeline',
  ],
  ...['encryptedFields', 'expireAfterSeconds', 'size', 'max'],
];

/** https://www.mongodb.com/docs/manual/reference/command/create/: plain collections only. */
export const create: Command = {
  fields: [
    ...UNSERVED_OPTIONS,
    ...[
      'autoIndexId',
      'storageEngine',
      'validationLevel',
      'validationAction',
      'indexOptionDefaults',
      'collation',
      'idIndex',
    ],
  ],
  isWrite: true,
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const unserved = UNSERVED_OPTIONS.find((option) => isAsked(command[option]));
    if (unserved !== undefined) throw notServed(`create's option ${unserved}`);
    if (command.collation !== undefined) refuseCollation(command.collation);
    const { catalog } = context.state;
    if (catalog.find(namespace) === undefined) catalog.create(namespace);
    return {};
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/drop/ */
export const drop: Command = {
  fields: [],
  isWrite: true,
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const collection = context.state.catalog.find(namespace);
    if (collection === undefined) return {};
    context.state.catalog.drop([collection]);
    return { nIndexesWas: collection.indexes.length, ns: namespace };
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/dropDatabase/ */
export const dropDatabase: Command = {
  fields: [],
  isWrite: true,
  run: (_, { state, database }) => {
    state.catalog.drop(state.catalog.list(database));
    return { dropped: database };
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/renameCollection/ */
export const renameCollection: Command = {
  fields: ['to', 'dropTarget'],
  isWrite: true,
  run: (command, { state }) => {
    const args = readArguments(command, 'renameCollection');
    const [from, to] = [args.text('renameCollection'), args.text('to')].map((name) => {
      const dot = name.indexOf('.');
      return makeNamespace(name.slice(0, Math.max(dot, 0)), name.slice(dot + 1));
    }) as [string, string];
    const collection = state.catalog.find(from);
    if (collection === undefined)
      throw commandError('NamespaceNotFound', `Source collection ${from} does not exist`);
    if (from === to) throw commandError('IllegalOperation', "Can't rename a collection to itself");
    if (state.catalog.find(to) !== undefined && !args.flag('dropTarget')) {
      throw commandError('NamespaceExists', 'target namespace exists');
    }
    state.catalog.rename(collection, to);
    return {};
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/listCollections/ */
export const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run: (command, context) => {
    const args = readArguments(command, 'listCollections');
    const matches = compileFilter(args.document('filter'), context.scope);
    const infos = context.state.catalog
      .list(context.database)
      .map((collection) => describe(collection, context.database))
      .filter(matches)
      .map((info) => (args.flag('nameOnly') ? { name: info.name, type: info.type } : info));
    const batchSize = readArguments(args.document('cursor'), 'listCollections.cursor').natural('batchSize');
    const namespace = `${context.database}.$cmd.listCollections`;
    return openCursor(
      oneBatch(infos),
      { namespace, batchSize, isSingleBatch: false, isPatient: false },
      context,
    );
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/listDatabases/ */
export const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run: (command, { database, scope, state }) => {
    if (database !== 'admin')
      throw commandError('Unauthorized', 'listDatabases may only be run against the admin database.');
    const args = readArguments(command, 'listDatabases');
    const matches = compileFilter(args.document('filter'), scope);
    const names = new Set(
      state.catalog.list().map(({ namespace }) => namespace.slice(0, namespace.indexOf('.'))),
    );
    const databases = [...names]
      .map((name) => ({ name, sizeOnDisk: sizeOf(state.catalog.list(name)), empty: false }))
      .filter(matches);
    if (args.flag('nameOnly')) return { databases: databases.map(({ name }) => ({ name })) };
    return { databases, totalSize: databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0) };
  },
};

function isAsked(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function describe(collection: Collection, database: string): Doc {
  const id = collection.indexes.find(({ spec }) => spec.name === '_id_');
  return {
    name: collection.namespace.slice(database.length + 1),
    type: 'collection',
    options: {},
    info: { readOnly: false, uuid: new Binary(collection.uuid, Binary.SUBTYPE_UUID) },
    ...(id && { idIndex: describeIndex(id.spec) }),
  };
}

function sizeOf(collections: readonly Collection[]): number {
  return collections.reduce((sum, collection) => sum + collection.bytes(), 0);
}
