import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { namingDamage } from '../lmdb-file.ts';
import { type FolderLock, lockFolder } from '../lock-folder.ts';
import { runCommand } from './commands/run-command.ts';
import { CursorRegistry } from './cursors.ts';
import { Catalog } from './storage/catalog.ts';
import { verifyDocuments } from './storage/verify-documents.ts';
import { type KeyValueStore, openKeyValueStore } from './store/key-value-store.ts';
import { startTtlMonitor } from './ttl-monitor.ts';
import { serveConnection } from './wire/connection.ts';

/** Log for errors and warnings of the server. */
export interface MongoServerLogger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Options of the server; only `dataDir` has no default. */
export interface MongoServerOptions {
  /** Directory of the data, created when missing; one server at a time may use it. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** Path of a Unix socket to listen on instead of a host and port; what an ended server left there is replaced. */
  readonly socketPath?: string;
  readonly logger?: MongoServerLogger;
  /** Milliseconds between two runs of the TTL monitor; MongoDB's 60 s unless told otherwise. */
  readonly ttlIntervalMs?: number;
  /** The time that TTL and `hello` go by. */
  readonly clock?: () => Date;
}

/** A running server. */
export interface MongoServer {
  /** `mongodb://host:port`, or the encoded path of the socket; a database name goes behind a slash. */
  readonly uri: string;
  /** Ends all connections, flushes to disk and closes the data. */
  close(): Promise<void>;
}

const IDLE_CURSOR_MS = 10 * 60 * 1000;
const FLUSH_INTERVAL_MS = 100;
const MOST_CURSORS = 1000;
/** Time for which documents are checked after a crash; half a million of them take less. */
const MOST_VERIFY_MS = 10_000;

/** Starts a MongoDB wire protocol server on a directory. Rejects when the port is taken or the directory is not usable. */
export async function startMongoServer(options: MongoServerOptions): Promise<MongoServer> {
  const lock = lockFolder(options.dataDir);
  try {
    return await startServer(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startServer(options: MongoServerOptions, lock: FolderLock): Promise<MongoServer> {
  const { dataDir, logger = SILENT, clock = () => new Date() } = options;
  const store = await openStore(dataDir, logger);
  const stopping = new AbortController();
  const sockets = new Set<Socket>();
  const catalog = await openCatalog(store, dataDir, logger);
  const cursors = new CursorRegistry({ now: Date.now, idleMs: IDLE_CURSOR_MS, capacity: MOST_CURSORS });
  const state = {
    catalog,
    store,
    cursors,
    clock,
    signal: stopping.signal,
  };
  let lastConnectionId = 0;
  const server = createServer((socket) => {
    const connectionId = ++lastConnectionId;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const onInternalError = (error: unknown, command: string) =>
      logger.error({ err: error, command }, 'A command failed.');
    serveConnection({
      socket,
      answer: (request) => runCommand(request, { state, connectionId, onInternalError }),
      onProtocolError: (error) =>
        logger.warn({ err: error, connectionId }, 'A connection was closed after malformed bytes.'),
    });
  });
  const address = await listen(server, options).catch(async (error: unknown) => {
    await catalog.close();
    await store.close();
    throw error;
  });
  const ttl = startTtlMonitor({ catalog, clock, intervalMs: options.ttlIntervalMs ?? 60_000, logger });
  const close = async () => {
    stopping.abort();
    const isClosed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await isClosed;
    await ttl.stop();
    cursors.closeAll();
    await catalog.close();
    await store.close();
    lock.release();
  };
  let closing: Promise<void> | undefined;
  return {
    uri: `mongodb://${address}`,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Opens the files; logs what went wrong with them. */
async function openStore(dataDir: string, logger: MongoServerLogger): Promise<KeyValueStore> {
  const onFlushError = (error: unknown) =>
    logger.error({ err: error }, 'The data could not be flushed to disk.');
  const onJournalCut = () =>
    logger.warn(
      { dataDir },
      'The journal of the database is damaged or has lost its end: the last changes before the crash are missing.',
    );
  return await openKeyValueStore(dataDir, {
    flushIntervalMs: FLUSH_INTERVAL_MS,
    onFlushError,
    onJournalCut,
  });
}

/** Opens the collections; checks their documents after a crash. Closes the store if its content is damaged. */
async function openCatalog(
  store: KeyValueStore,
  dataDir: string,
  logger: MongoServerLogger,
): Promise<Catalog> {
  const dataFile = join(dataDir, 'data.mdb');
  const onPurgeError = (error: unknown) =>
    logger.error(
      { err: error },
      'Dropped collections could not be removed from the disk; the next drop or start tries again.',
    );
  try {
    const catalog = namingDamage(dataFile, () => new Catalog({ store, onPurgeError }));
    if (store.wasCutOff) {
      const warn = logger.warn.bind(logger);
      namingDamage(dataFile, () => verifyDocuments(catalog, { dataFile, maxMs: MOST_VERIFY_MS, warn }));
    }
    return catalog;
  } catch (error) {
    await store.abandon();
    throw error;
  }
}

const SILENT: MongoServerLogger = { warn: () => undefined, error: () => undefined };

/** Listens on the socket or the port of the options, and returns the address as it stands in a URI. */
async function listen(server: Server, options: MongoServerOptions): Promise<string> {
  const { host = '127.0.0.1', port = 0, socketPath } = options;
  if (socketPath !== undefined) await rm(socketPath, { force: true });
  server.listen(socketPath !== undefined ? { path: socketPath } : { host, port });
  await once(server, 'listening');
  if (socketPath !== undefined) return encodeURIComponent(socketPath);
  return `${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}
