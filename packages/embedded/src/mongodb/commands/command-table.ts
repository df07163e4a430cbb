import { aggregate } from './aggregate.ts';
import { bulkWrite } from './bulk-write.ts';
import {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection,
} from './collections.ts';
import type { Command } from './command.ts';
import { count } from './count.ts';
import { deleteCommand } from './delete.ts';
import { distinct } from './distinct.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { getMore } from './get-more.ts';
import { hello, isMaster } from './hello.ts';
import { collMod, createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { insert } from './insert.ts';
import { killCursors } from './kill-cursors.ts';
import { buildInfo, connectionStatus, hostInfo, ping, serverStatus } from './server-info.ts';
import {
  abortTransaction,
  commitTransaction,
  endSessions,
  killSessions,
  refreshSessions,
  startSession,
} from './sessions.ts';
import { collStats, dbStats } from './stats.ts';
import { update } from './update.ts';

/** Every command that is served, by the name that opens its document; any other is CommandNotFound. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    hello,
    isMaster,
    ismaster: isMaster,
    ping,
    buildInfo,
    buildinfo: buildInfo,
    hostInfo,
    serverStatus,
    connectionStatus,
    startSession,
    endSessions,
    refreshSessions,
    killSessions,
    commitTransaction,
    abortTransaction,
    listDatabases,
    dropDatabase,
    listCollections,
    create,
    drop,
    renameCollection,
    collMod,
    createIndexes,
    listIndexes,
    dropIndexes,
    insert,
    update,
    delete: deleteCommand,
    findAndModify,
    findandmodify: findAndModify,
    find,
    getMore,
    killCursors,
    count,
    distinct,
    aggregate,
    bulkWrite,
    explain,
    collStats,
    dbStats,
  }),
);
