import { AppError } from '@gleaner/contracts';
import mongoose from 'mongoose';
import { RETRY_AFTER_SECONDS } from './connection-options.ts';

const { mongo } = mongoose;

/**
 * Codes of a server that cannot serve now but may soon: the categories RetriableError, SystemOverloadedError, Interruption
 * and ExceededTimeLimitError of MongoDB's error_codes.yml that a client can receive, and write concerns that are not met.
 */
const TRANSIENT_CODES = {
  HostUnreachable: 6,
  HostNotFound: 7,
  LockTimeout: 24,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  WriteConcernTimeout: 64,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  ReadConcernMajorityNotAvailableYet: 134,
  PrimarySteppedDown: 189,
  NetworkInterfaceExceededTimeLimit: 202,
  CursorKilled: 237,
  ExceededTimeLimit: 262,
  ClientDisconnect: 279,
  InterruptedDueToStorageChange: 355,
  TemporarilyUnavailable: 365,
  ResourceExhausted: 402,
  MigrationBlockingOperationCoordinatorCleaningUp: 406,
  PooledConnectionAcquisitionExceededTimeLimit: 407,
  UpdatesStillPending: 412,
  AdmissionQueueOverflow: 433,
  RateLimitExceeded: 449,
  SocketException: 9001,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
} as const;
/** Labels of transient errors, set by a server or the driver. */
const TRANSIENT_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'] as const;
const TRANSIENT_CODE_SET = new Set<unknown>(Object.values(TRANSIENT_CODES));
const DUPLICATE_KEY = 11000;
const OUT_OF_DISK_SPACE = 14031;

const TRANSIENT_ERRORS = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoTopologyClosedError,
  mongo.MongoNotConnectedError,
  mongo.MongoClientClosedError,
  mongo.MongoExpiredSessionError,
  mongoose.Error.MongooseServerSelectionError,
] as const;

/** System errors of a connection that breaks or cannot be made, and of a name that cannot be resolved now. */
const TRANSIENT_SYSTEM_CODES = new Set<unknown>([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ESERVFAIL',
  'ETIMEDOUT',
  'ETIMEOUT',
]);

const TRANSIENT_NAMES = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError']);

/**
 * Translates an error of the driver for the callers of a store: to SERVICE_UNAVAILABLE if the database is unavailable,
 * too slow or out of disk space. Returns an AppError, and anything else (a programming error), unchanged.
 */
export function translateError(thrown: unknown): unknown {
  if (isOutOfDiskSpace(thrown)) return diskFull(thrown);
  return isTransient(thrown) ? databaseUnavailable(thrown) : thrown;
}

/** Returns the error of an unavailable database; its cause is only logged. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The database does not answer.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

function diskFull(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The disk of the database is full.',
    suggestion: 'Free some space on the disk of the database; the service then goes on by itself.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/**
 * Returns whether a write, or every failed write of a bulk, failed because its key exists already. The one that exists may
 * be of an attempt whose write concern timed out: `confirmWrites` makes it as durable as the caller's own.
 */
export function isDuplicateKey(thrown: unknown): boolean {
  if (thrown instanceof mongo.MongoBulkWriteError) {
    const errors = [thrown.writeErrors].flat();
    return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
  }
  return thrown instanceof mongo.MongoServerError && thrown.code === DUPLICATE_KEY;
}

function isOutOfDiskSpace(thrown: unknown): boolean {
  return thrown instanceof mongo.MongoServerError && thrown.code === OUT_OF_DISK_SPACE;
}

function isTransient(thrown: unknown): boolean {
  if (TRANSIENT_ERRORS.some((type) => thrown instanceof type)) return true;
  // Before the errors of servers, as which the driver wraps the others in a bulk write.
  if (isSystemError(thrown) || isBrokenBulk(thrown)) return true;
  if (thrown instanceof mongo.MongoServerError) {
    return (
      TRANSIENT_CODE_SET.has(thrown.code) || TRANSIENT_LABELS.some((label) => thrown.hasErrorLabel(label))
    );
  }
  return isWithoutConnection(thrown) || (thrown instanceof Error && TRANSIENT_NAMES.has(thrown.name));
}

/** Returns whether the connection broke during a bulk write: the driver wraps that in a server error without a code. */
function isBrokenBulk(thrown: unknown): boolean {
  if (!(thrown instanceof mongo.MongoBulkWriteError)) return false;
  return thrown.code === undefined && [thrown.writeErrors].flat().length === 0;
}

function isSystemError(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    TRANSIENT_SYSTEM_CODES.has(thrown.code)
  );
}

/** Returns whether mongoose rejected a call because its connection is closing or was never opened. */
function isWithoutConnection(thrown: unknown): boolean {
  return (
    thrown instanceof mongoose.MongooseError &&
    /connection (is complete|was force closed)/i.test(thrown.message)
  );
}
