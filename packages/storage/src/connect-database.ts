import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import mongoose, { type Connection } from 'mongoose';
import { connectionOptions, SOCKET_TIMEOUTS_MS } from './database/connection-options.ts';
import { type Clock, DatabaseClock } from './database/database-clock.ts';
import { ensureIndexes } from './database/ensure-indexes.ts';
import { bounded } from './database/guarded.ts';
import { endPoolChecks, keepUsable, watchPool } from './database/keep-usable.ts';
import { databaseUnavailable, translateError } from './database/translate-error.ts';
import { driverCollection } from './document-schema.ts';
import { migrate } from './migrations/migrate.ts';
import { compileModels, type Models } from './models.ts';
import { prepareHashes } from './pages/prepare-hashes.ts';

const RETRY_DELAY_MS = 500;
const CLOSE_TIMEOUT_MS = 2000;

/** Methods of a pino logger that storage calls. */
export interface StorageLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Address of the database and settings of the connection. */
export interface DatabaseOptions {
  /** MongoDB connection string; without a database name, `gleaner` is used. It may hold a password and is never logged. */
  readonly uri: string;
  readonly logger: StorageLogger;
  /** Name of this process in the server's log; default "gleaner". */
  readonly appName?: string;
  /** Maximum number of connections; default 20. */
  readonly maxPoolSize?: number;
  /** Time to wait for a database that is not up yet; default 30 s. */
  readonly connectTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** State of the connection as the driver sees it; the driver reconnects by itself. */
export type DatabaseState = 'connected' | 'connecting' | 'disconnected';

/** Connection pool and the models on it, from which stores are created. */
export interface Database {
  readonly models: Models;
  readonly clock: Clock;
  readonly state: DatabaseState;
  /** Resolves when the server answers; throws SERVICE_UNAVAILABLE if it is late, or the reason of the signal. */
  ping(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Brings stored documents to the schema of this version; call it before `ensureIndexes`. */
  migrate(signal: AbortSignal): Promise<void>;
  /** Creates missing indexes; call it before traffic, since unique indexes keep operations from happening twice. */
  ensureIndexes(): Promise<void>;
  /** Prepares stored pages for several planners; call it before any of them starts. */
  preparePlanners(): Promise<void>;
  /** Opens a client with connections of its own, for work that may not keep others waiting for one. */
  connectApart(maxPoolSize: number): Promise<Database>;
  /** Closes the pool; operations running on it fail. */
  close(): Promise<void>;
}

/**
 * Connects, waiting for a database that is not up yet. Throws SERVICE_UNAVAILABLE if it does not come up in time,
 * and INTERNAL_ERROR at once if the address or the password is wrong.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const clock = new DatabaseClock();
  const connection = await openConnection(options, 'operations', clock);
  const models = compileModels(connection);
  logTransitions(connection, options.logger);
  const stopWatching = keepConnectionUsable(connection, clock, options);
  return {
    models,
    clock,
    get state() {
      return stateOf(connection);
    },
    ping: ({ signal } = {}) => readClock(connection, clock, signal),
    migrate: (signal) => migrate({ models, clock, logger: options.logger, signal }),
    ensureIndexes: () => buildApart(options, ensureIndexes),
    preparePlanners: () => buildApart(options, ({ pages }) => prepareHashes(driverCollection(pages))),
    connectApart: (maxPoolSize) => connectDatabase({ ...options, maxPoolSize }),
    async close() {
      stopWatching();
      await closeConnection(connection);
    },
  };
}

/** Opens a connection and reads the clock of the server. */
async function openConnection(
  options: DatabaseOptions,
  socketUse: SocketUse,
  clock = new DatabaseClock(),
): Promise<Connection> {
  const { uri, logger, connectTimeoutMs = 30_000, signal } = options;
  const deadlineMs = Date.now() + connectTimeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const connection = mongoose.createConnection();
    try {
      await connection.openUri(uri, driverOptions(options, socketUse));
      await readClock(connection, clock);
      return connection;
    } catch (error) {
      await connection.destroy();
      const failure = connectFailure(error);
      if (failure.code !== 'SERVICE_UNAVAILABLE' || Date.now() + RETRY_DELAY_MS > deadlineMs) throw failure;
      logger.warn({ reason: messageOf(error) }, 'The database does not answer yet; retrying');
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

/** Builds indexes on a connection of its own, since a build may take longer than other operations may stay silent. */
async function buildApart(options: DatabaseOptions, build: (models: Models) => Promise<void>): Promise<void> {
  const connection = await openConnection(options, 'indexBuilds');
  try {
    await build(compileModels(connection));
  } finally {
    await closeConnection(connection);
  }
}

/** Replaces the connection's client when it is stuck; models and stores stay as they are. */
function keepConnectionUsable(
  connection: Connection,
  clock: DatabaseClock,
  options: DatabaseOptions,
): () => void {
  let pool = watchPool(connection);
  endPoolChecks(connection);
  return keepUsable({
    ping: () => readClock(connection, clock),
    pingDirectly: () => bounded(() => connectOnce(options)),
    pool: () => pool,
    async renew() {
      await Promise.race([connection.close(), delay(CLOSE_TIMEOUT_MS)]);
      await connection.openUri(options.uri, driverOptions(options));
      pool = watchPool(connection);
      endPoolChecks(connection);
    },
    onRenewal: (reason) => options.logger.warn({ reason }, 'Replacing the database client'),
  });
}

async function connectOnce(options: DatabaseOptions): Promise<void> {
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
  // Neither cause nor the driver's message: they may quote a connection string that does not parse.
  return new AppError('INTERNAL_ERROR', {
    message: `The database cannot be used: ${describeConnectError(error)}.`,
    suggestion:
      'Correct MONGODB_URI: mongodb://user:password@host:27017/database, special characters percent-encoded.',
  });
}

function describeConnectError(error: unknown): string {
  if (error instanceof mongoose.mongo.MongoServerError) return `the server says "${error.message}"`;
  if (error instanceof Error && 'code' in error) return `its address does not resolve (${error.code})`;
  return 'its address is not a MongoDB connection string';
}

function logTransitions(connection: Connection, logger: StorageLogger): void {
  const { host, port, name } = connection;
  const where = { host, port, database: name };
  logger.info(where, 'Connected to the database');
  connection.on('disconnected', () =>
    logger.warn(where, 'Lost the connection to the database; reconnecting'),
  );
  connection.on('reconnected', () => logger.info(where, 'Reconnected to the database'));
}

function stateOf(connection: Connection): DatabaseState {
  const { connected, connecting } = mongoose.ConnectionStates;
  if (connection.readyState === connected) return 'connected';
  return connection.readyState === connecting ? 'connecting' : 'disconnected';
}

/** Asks the server for its time: https://www.mongodb.com/docs/manual/reference/command/hello/ */
async function readClock(connection: Connection, clock: DatabaseClock, signal?: AbortSignal): Promise<void> {
  await bounded(async () => {
    if (!connection.db) throw databaseUnavailable(new Error('The connection is closed'));
    const askedAtMs = performance.now();
    const { localTime } = await connection.db.command({ hello: 1 }, signal && { signal });
    if (localTime instanceof Date) clock.follow(localTime, askedAtMs, performance.now());
  });
}

async function closeConnection(connection: Connection): Promise<void> {
  connection.removeAllListeners();
  // A server that hangs would delay this until the socket times out.
  await Promise.race([connection.destroy(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
