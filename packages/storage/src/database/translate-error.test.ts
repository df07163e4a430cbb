import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isDuplicateKey, translateError } from './translate-error.ts';

const { mongo } = mongoose;

describe('translateError', () => {
  it.each([
    ['a lost connection', new mongo.MongoNetworkError('read ECONNRESET')],
    ['a silent server', new mongo.MongoNetworkTimeoutError('timed out')],
    ['a step-down', new mongo.MongoServerError({ message: 'not primary', code: 10107 })],
    ['a shutdown', new mongo.MongoServerError({ message: 'shutting down', code: 91 })],
    ['a write concern that times out', new mongo.MongoServerError({ message: 'waiting', code: 64 })],
    ['a server under load', new mongo.MongoServerError({ message: 'try later', code: 365 })],
    ['a read before a majority exists', new mongo.MongoServerError({ message: 'not yet', code: 134 })],
    ['an operation that was killed', new mongo.MongoServerError({ message: 'interrupted', code: 11601 })],
    ['a cursor that a restart lost', new mongo.MongoServerError({ message: 'not found', code: 43 })],
    ['an error that the server calls retryable', labeled('RetryableWriteError')],
    ['a full disk', new mongo.MongoServerError({ message: 'No space left on device', code: 14031 })],
    ['a bulk write whose connection broke', brokenBulk(new mongo.MongoNetworkError('connection 7 closed'))],
    [
      'a bulk write that met a system error',
      brokenBulk(Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' })),
    ],
    ['an unavailable name server', Object.assign(new Error('querySrv ESERVFAIL'), { code: 'ESERVFAIL' })],
  ])('turns %s into SERVICE_UNAVAILABLE without showing its message', (_case, thrown) => {
    const translated = translateError(thrown);
    expect(translated).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, cause: thrown });
    expect((translated as AppError).message).not.toContain(thrown.message);
  });

  it.each([
    ['an AppError', new AppError('INSUFFICIENT_CREDITS')],
    ['a duplicate key', new mongo.MongoServerError({ message: 'E11000', code: 11000 })],
    ['a wrong password', new mongo.MongoServerError({ message: 'no', code: 18 })],
    ['a programming error', new TypeError('x is not a function')],
  ])('returns %s unchanged', (_case, thrown) => {
    expect(translateError(thrown)).toBe(thrown);
  });
});

describe('isDuplicateKey', () => {
  it('returns true only for server errors with code 11000', () => {
    expect(isDuplicateKey(new mongo.MongoServerError({ message: 'E11000', code: 11000 }))).toBe(true);
    expect(isDuplicateKey(new mongo.MongoServerError({ message: 'other', code: 91 }))).toBe(false);
    expect(isDuplicateKey(Object.assign(new Error('imitation'), { code: 11000 }))).toBe(false);
  });
});

function labeled(label: string): Error {
  return new mongo.MongoServerError({ message: 'busy', code: 9999, errorLabels: [label] });
}

/** Returns the error that the driver throws when a connection breaks during a bulk write. */
function brokenBulk(lost: Error): Error {
  return new mongo.MongoBulkWriteError(lost as never, { getWriteErrors: () => [] } as never);
}
