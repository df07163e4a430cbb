import { AppError } from '@gleaner/contracts';
import mongoose from 'mongoose';
import { RETRY_AFTER_SECONDS } from './connection-options.ts';

const { mongo } = mongoose;

/** What the server says when it can't serve now, but may soon. */
const PASSING_CODES = {
  HostUnreachable: 6,
  HostNotFound: 7,
  MaxTimeMSExpired: 50,
  WriteConcernTimeout: 64,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  PrimarySteppedDown: 189,
  ExceededTimeLimit: 262,
  SocketException: 9001,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
} as const;
const PASSING_CODE_SET = new Set<unknown>(Object.values(PASSING_CODES));
const DUPLICATE_KEY = 11000;

const PASSING_ERRORS = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoTopologyClosedError,
  mongo.MongoNotConnectedError,
  mongo.MongoClientClosedError,
  mongo.MongoExpiredSessionError,
  mongoose.Error.MongooseServerSelectionError,
] as const;

/** What the system says of a connection that breaks or can't be made, and of a name that can't be resolved now. */
const PASSING_SYSTEM_CODES = new Set<unknown>([
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

const PASSING_NAMES = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError']);

/**
 * What the driver threw, for the callers of a store: SERVICE_UNAVAILABLE where the database is away or too slow,
 * an AppError of ours unchanged, and anything else as it is (a fault of ours).
 */
export function translateError(thrown: unknown): unknown {
  return isPassing(thrown) ? databaseAway(thrown) : thrown;
}

/** The error that says that the database is away; the cause is for the log alone. */
export function databaseAway(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The database does not answer.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Whether a write failed because its key is taken; of many writes, whether each that failed did for that reason. */
export function isDuplicateKey(thrown: unknown): boolean {
  if (thrown instanceof mongo.MongoBulkWriteError) {
    const faults = [thrown.writeErrors].flat();
    return faults.length > 0 && faults.every(({ code }) => code === DUPLICATE_KEY);
  }
  return thrown instanceof mongo.MongoServerError && thrown.code === DUPLICATE_KEY;
}

function isPassing(thrown: unknown): boolean {
  if (PASSING_ERRORS.some((type) => thrown instanceof type)) return true;
  if (isBrokenBulk(thrown)) return true;
  if (thrown instanceof mongo.MongoServerError) return PASSING_CODE_SET.has(thrown.code);
  return (
    isSystemFault(thrown) ||
    isBeforeConnection(thrown) ||
    (thrown instanceof Error && PASSING_NAMES.has(thrown.name))
  );
}

/** Many writes whose connection broke: the driver wraps that into an error of the server without a code. */
function isBrokenBulk(thrown: unknown): boolean {
  if (!(thrown instanceof mongo.MongoBulkWriteError)) return false;
  return thrown.code === undefined && [thrown.writeErrors].flat().length === 0;
}

function isSystemFault(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && PASSING_SYSTEM_CODES.has(thrown.code)
  );
}

/** Mongoose's own refusal where a connection is closing or was never made. */
function isBeforeConnection(thrown: unknown): boolean {
  return (
    thrown instanceof mongoose.MongooseError &&
    /connection (is complete|was force closed)/i.test(thrown.message)
  );
}
