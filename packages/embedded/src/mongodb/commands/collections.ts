import { Binary } from 'bson';
import { compileFilter } from '../filter/compile-filter.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { oneBatch, openCursor } from './cursor-reply.ts';

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

/** https://www.mongodb.com/docs/manual/reference/command/listCollections/ */
export const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run: (command, context) => {
    const args = readArguments(command, 'listCollections');
    const matches = compileFilter(args.document('filter'));
    const infos = context.state.catalog
      .list(context.database)
      .map(({ namespace, uuid }) => ({
        name: namespace.slice(context.database.length + 1),
        type: 'collection',
        options: {},
        info: { readOnly: false, uuid: new Binary(uuid, Binary.SUBTYPE_UUID) },
      }))
      .filter(matches)
      .map((info) => (args.flag('nameOnly') ? { name: info.name, type: info.type } : info));
    const batchSize = readArguments(args.document('cursor'), 'listCollections.cursor').natural('batchSize');
    const namespace = `${context.database}.$cmd.listCollections`;
    return openCursor(oneBatch(infos), { namespace, batchSize }, context);
  },
};
