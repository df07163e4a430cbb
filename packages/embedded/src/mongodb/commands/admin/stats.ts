import type { Doc } from '../../bson/bson-types.ts';
import { isNumeric } from '../../bson/bson-types.ts';
import { toDouble } from '../../bson/numeric-order.ts';
import type { Collection } from '../../storage/collection.ts';
import { countReply } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/collStats/: counts and data sizes; files are shared by all. */
export const collStats: Command = {
  fields: ['scale'],
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const collection = context.state.catalog.find(namespace);
    const stats = statsOf(collection === undefined ? [] : [collection], scaleOf(command));
    const { count = 0, size = 0 } = stats;
    return {
      ns: namespace,
      count,
      size,
      ...(stats.count !== 0 && { avgObjSize: stats.avgObjSize }),
      storageSize: size,
      nindexes: stats.indexes,
      scaleFactor: scaleOf(command),
    };
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/dbStats/ */
export const dbStats: Command = {
  fields: ['scale', 'freeStorage'],
  run: (command, { database, state }) => {
    const collections = state.catalog.list(database);
    const { count, size, avgObjSize, indexes } = statsOf(collections, scaleOf(command));
    return {
      db: database,
      collections: collections.length,
      views: 0,
      objects: count,
      avgObjSize,
      dataSize: size,
      storageSize: size,
      indexes,
      scaleFactor: scaleOf(command),
    };
  },
};

function scaleOf({ scale }: Doc): number {
  return isNumeric(scale) ? Math.max(1, Math.trunc(toDouble(scale))) : 1;
}

function statsOf(collections: readonly Collection[], scale: number) {
  const count = collections.reduce((sum, collection) => sum + collection.count(), 0);
  const bytes = collections.reduce((sum, collection) => sum + collection.bytes(), 0);
  return {
    count: countReply(count),
    size: countReply(Math.floor(bytes / scale)),
    avgObjSize: count === 0 ? 0 : Math.floor(bytes / count),
    indexes: collections.reduce((sum, { indexes }) => sum + indexes.length, 0),
  };
}
