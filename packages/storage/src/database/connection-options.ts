import type { ConnectOptions } from 'mongoose';

/**
 * What a write survives before it is answered.
 * `durable`: kill -9 of the server, and a change of primary; for money and keys, and the default.
 * `counter`: nothing; for what a crash may forget or what another write makes good again.
 */
export const WRITE_CONCERNS = {
  durable: { w: 'majority', journal: true, wtimeoutMS: 3500 },
  counter: { w: 1, journal: false },
} as const;

/** How long one call of a store may take, in milliseconds; its outcome is unknown after that. */
export const OPERATION_TIMEOUT_MS = 4000;

/** How many seconds a caller is asked to wait while the database is away. */
export const RETRY_AFTER_SECONDS = 5;

/** Bounds in milliseconds that let an API answer 503 within 5 s, and use the database again soon after it is back. */
const TIMEOUTS = {
  serverSelectionTimeoutMS: 2500,
  connectTimeoutMS: 2000,
  waitQueueTimeoutMS: 2000,
  heartbeatFrequencyMS: 5000,
} as const;

/** How long a connection may be silent in the middle of an operation before it counts as dead, in milliseconds. */
export const SOCKET_TIMEOUTS_MS = {
  /** Nobody waits for an operation longer than OPERATION_TIMEOUT_MS. */
  operations: 10_000,
  indexBuilds: 600_000,
} as const;

/** The database of a connection string that names none; the driver would take `test`. */
const DEFAULT_DATABASE = 'gleaner';

/** Hosts, a slash, and the name, before any options. */
const NAMES_DATABASE = /^[\w+]+:\/\/[^/?]*\/[^?]/;

/** What the driver is told besides the address. */
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
  };
}
