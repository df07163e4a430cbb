import {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection,
} from './admin/collections.ts';
import { hello, isMaster } from './admin/hello.ts';
import { collMod, createIndexes, dropIndexes, listIndexes } from './admin/indexes.ts';
import { buildInfo, connectionStatus, hostInfo, ping, serverStatus } from './admin/server-info.ts';
import {
  abortTransaction,
  commitTransaction,
  endSessions,
  killSessions,
  refreshSessions,
  startSession,
} from './admin/sessions.ts';
import { collStats, dbStats } from './admin/stats.ts';
import type { Command } from './context/command.ts';
import { aggregate } from './reads/aggregate.ts';
import { count } from './reads/count.ts';
import { distinct } from './reads/distinct.ts';
import { explain } from './reads/explain.ts';
import { find } from './reads/find.ts';
import { getMore, killCursors } from './reads/open-cursors.ts';
import { deleteCommand } from './writes/delete.ts';
import { findAndModify } from './writes/find-and-modify.ts';
import { insert } from './writes/insert.ts';
import { update } from './writes/update.ts';

/** The supported commands, by the name that opens their document; any other is CommandNotFound. */
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
    explain,
    collStats,
    dbStats,
  }),
);
