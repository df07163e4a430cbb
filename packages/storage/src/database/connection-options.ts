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

/** What the driver is told besides the address. */
export function connectionOptions({
  appName,
  maxPoolSize,
  socketTimeoutMS,
}: Required<Pick<ConnectOptions, 'appName' | 'maxPoolSize' | 'socketTimeoutMS'>>): ConnectOptions {
  return {
    ...TIMEOUTS,
    socketTimeoutMS,
    appName,
    maxPoolSize,
    writeConcern: WRITE_CONCERNS.durable,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
  };
}
