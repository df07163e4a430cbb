import type { ConnectOptions } from 'mongoose';

/**
 * Durability of a write once it is acknowledged.
 * `durable` (the default) survives kill -9 of the server and a change of primary; used for credits and keys.
 * `counter` survives neither; used for data that a crash may lose or that another write restores.
 */
export const WRITE_CONCERNS = {
  durable: { w: 'majority', journal: true, wtimeoutMS: 3500 },
  counter: { w: 1, journal: false },
} as const;

/** Time limit of one call of a store, in milliseconds; its outcome is unknown after that. */
export const OPERATION_TIMEOUT_MS = 4000;

/** Seconds that a client is asked to wait while the database is unavailable. */
export const RETRY_AFTER_SECONDS = 5;

/** Timeouts that let the API answer 503 within 5 s, and use the database again soon after it is back. */
const TIMEOUTS = {
  serverSelectionTimeoutMS: 2500,
  connectTimeoutMS: 2000,
  waitQueueTimeoutMS: 2000,
} as const;

/** Time that a connection may be silent during an operation before it counts as broken, in milliseconds. */
export const SOCKET_TIMEOUTS_MS = {
  /** Longer than OPERATION_TIMEOUT_MS, after which no caller waits for the operation. */
  operations: 10_000,
  indexBuilds: 600_000,
} as const;

/** Database used if the connection string names none; the driver would use `test`. */
const DEFAULT_DATABASE = 'gleaner';

/** Matches hosts, a slash, and a database name before any options. */
const NAMES_DATABASE = /^[\w+]+:\/\/[^/?]*\/[^?]/;

/** Returns the options that the driver gets besides the address. */
export function connectionOptions({
  uri,
  appName,
  maxPoolSize,
  socketTimeoutMS,
}: Required<Pick<ConnectOptions, 'appName' | 'maxPoolSize' | 'socketTimeoutMS'>> & {
  readonly uri: string;
}): ConnectOptions {
  return {
    ...TIMEOUTS,
    ...(!NAMES_DATABASE.test(uri) && { dbName: DEFAULT_DATABASE }),
    socketTimeoutMS,
    appName,
    maxPoolSize,
    writeConcern: WRITE_CONCERNS.durable,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    // Texts come from our own driver, which writes nothing else; looking for errors takes as long as reading them.
    enableUtf8Validation: false,
  };
}
