import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import mongoose, { type Connection } from 'mongoose';
import { connectionOptions, SOCKET_TIMEOUTS_MS } from './connection-options.ts';
import { ensureIndexes } from './ensure-indexes.ts';
import { bounded } from './guarded.ts';
import { keepUsable } from './keep-usable.ts';
import { compileModels, type Models } from './models.ts';
import { databaseAway, translateError } from './translate-error.ts';
import { watchPool } from './watch-pool.ts';

const RETRY_DELAY_MS = 500;
const CLOSE_TIMEOUT_MS = 2000;

/** The part of a pino logger that is used here. */
export interface StorageLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Where the database is and how to reach it. */
export interface DatabaseOptions {
  /** A MongoDB connection string, of the database `gleaner` unless it names one; it may hold a password and is never logged. */
  readonly uri: string;
  readonly logger: StorageLogger;
  /** Names this process in the server's log; default "gleaner". */
  readonly appName?: string;
  /** Connections at most; default 20. */
  readonly maxPoolSize?: number;
  /** How long to wait for a database that is not there yet; default 30 s. */
  readonly connectTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Whether the server answers, as the driver sees it now; it reconnects by itself. */
export type DatabaseState = 'connected' | 'connecting' | 'disconnected';

/** One connection pool and the models on it; stores are made from it. */
export interface Database {
  readonly models: Models;
  readonly state: DatabaseState;
  /** Resolves when the server answers; SERVICE_UNAVAILABLE when it does not within 4 s or until the signal. */
  ping(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Makes every index exist; to be run before traffic, since unique indexes are what keeps things from happening twice. */
  ensureIndexes(): Promise<void>;
  /** Drops the pool; what is running on it fails. */
  close(): Promise<void>;
}

/**
 * Connects, waiting for a database that is not up yet. Throws SERVICE_UNAVAILABLE when it does not come in time,
 * and INTERNAL_ERROR at once when the address or the password is wrong.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const connection = await openConnection(options);
  const models = compileModels(connection);
  logTransitions(connection, options.logger);
  const stopWatching = keepConnectionUsable(connection, options);
  return {
    models,
    get state() {
      return stateOf(connection);
    },
    ping: ({ signal } = {}) => ping(connection, signal),
    ensureIndexes: () => ensureIndexesApart(options),
    async close() {
      stopWatching();
      await closeConnection(connection);
    },
  };
}

async function openConnection(options: DatabaseOptions, socketUse?: SocketUse): Promise<Connection> {
  const { uri, logger, connectTimeoutMs = 30_000, signal } = options;
  const deadlineMs = Date.now() + connectTimeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const connection = mongoose.createConnection();
    try {
      return await connection.openUri(uri, driverOptions(options, socketUse));
    } catch (error) {
      await connection.destroy();
      const failure = connectFailure(error);
      if (failure.code !== 'SERVICE_UNAVAILABLE' || Date.now() + RETRY_DELAY_MS > deadlineMs) throw failure;
      logger.warn({ reason: messageOf(error) }, 'The database does not answer yet; trying again');
      await delay(RETRY_DELAY_MS, undefined, signal && { signal });
    }
  }
}

type SocketUse = keyof typeof SOCKET_TIMEOUTS_MS;

function driverOptions(
  { uri, appName = 'gleaner', maxPoolSize = 20 }: DatabaseOptions,
  use: SocketUse = 'operations',
) {
  return connectionOptions({ uri, appName, maxPoolSize, socketTimeoutMS: SOCKET_TIMEOUTS_MS[use] });
}

/** Building an index may take longer than any other operation may be silent. */
async function ensureIndexesApart(options: DatabaseOptions): Promise<void> {
  const connection = await openConnection(options, 'indexBuilds');
  try {
    await ensureIndexes(compileModels(connection));
  } finally {
    await closeConnection(connection);
  }
}

/** Has the connection's client renewed when it is stuck; models and stores stay as they are. */
function keepConnectionUsable(connection: Connection, options: DatabaseOptions): () => void {
  let pool = watchPool(connection);
  return keepUsable({
    ask: () => ping(connection),
    askDirectly: () => bounded(() => askOnce(options)),
    pool: () => pool,
    async renew() {
      await Promise.race([connection.close(), delay(CLOSE_TIMEOUT_MS)]);
      await connection.openUri(options.uri, driverOptions(options));
      pool = watchPool(connection);
    },
    onRenewal: (reason) => options.logger.warn({ reason }, 'The client of the database is renewed.'),
  });
}

async function askOnce(options: DatabaseOptions): Promise<void> {
  const connection = mongoose.createConnection();
  try {
    await connection.openUri(options.uri, driverOptions({ ...options, maxPoolSize: 1 }));
  } finally {
    await closeConnection(connection);
  }
}

function connectFailure(error: unknown): AppError {
  const translated = translateError(error);
  if (translated instanceof AppError) return translated;
  // No cause and no message of the driver's: a connection string that does not parse may be quoted there.
  return new AppError('INTERNAL_ERROR', {
    message: `The database cannot be used: ${faultOf(error)}.`,
    suggestion:
      'Correct MONGODB_URI: mongodb://user:password@host:27017/database, special characters percent-encoded.',
  });
}

function faultOf(error: unknown): string {
  if (error instanceof mongoose.mongo.MongoServerError) return `the server says "${error.message}"`;
  if (error instanceof Error && 'code' in error) return `its address does not resolve (${error.code})`;
  return 'its address is not a MongoDB connection string';
}

function logTransitions(connection: Connection, logger: StorageLogger): void {
  const { host, port, name } = connection;
  const where = { host, port, database: name };
  logger.info(where, 'Connected to the database');
  connection.on('disconnected', () => logger.warn(where, 'Lost the database; reconnecting'));
  connection.on('reconnected', () => logger.info(where, 'Reconnected to the database'));
}

function stateOf(connection: Connection): DatabaseState {
  const { connected, connecting } = mongoose.ConnectionStates;
  if (connection.readyState === connected) return 'connected';
  return connection.readyState === connecting ? 'connecting' : 'disconnected';
}

async function ping(connection: Connection, signal?: AbortSignal): Promise<void> {
  await bounded(async () => {
    if (!connection.db) throw databaseAway(new Error('The connection is closed'));
    await connection.db.command({ ping: 1 }, signal && { signal });
  });
}

async function closeConnection(connection: Connection): Promise<void> {
  connection.removeAllListeners();
  // A server that hangs would hold the goodbye for as long as a socket may be silent.
  await Promise.race([connection.destroy(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
