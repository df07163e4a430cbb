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
    ['a concern that is not met in time', new mongo.MongoServerError({ message: 'waiting', code: 64 })],
    ['many writes whose connection broke', brokenBulk()],
    ['a name server that is away', Object.assign(new Error('querySrv ESERVFAIL'), { code: 'ESERVFAIL' })],
  ])('makes %s SERVICE_UNAVAILABLE and shows nothing of it', (_case, thrown) => {
    const translated = translateError(thrown);
    expect(translated).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, cause: thrown });
    expect((translated as AppError).message).not.toContain(thrown.message);
  });

  it.each([
    ['an error of ours', new AppError('INSUFFICIENT_CREDITS')],
    ['a taken key', new mongo.MongoServerError({ message: 'E11000', code: 11000 })],
    ['a wrong password', new mongo.MongoServerError({ message: 'no', code: 18 })],
    ['a fault in the code', new TypeError('x is not a function')],
  ])('leaves %s as it is', (_case, thrown) => {
    expect(translateError(thrown)).toBe(thrown);
  });
});

describe('isDuplicateKey', () => {
  it('knows code 11000 of the server alone', () => {
    expect(isDuplicateKey(new mongo.MongoServerError({ message: 'E11000', code: 11000 }))).toBe(true);
    expect(isDuplicateKey(new mongo.MongoServerError({ message: 'other', code: 91 }))).toBe(false);
    expect(isDuplicateKey(Object.assign(new Error('imitation'), { code: 11000 }))).toBe(false);
  });
});

/** What the driver makes of a lost connection in the middle of many writes. */
function brokenBulk(): Error {
  const lost = new mongo.MongoNetworkError('connection 7 to 127.0.0.1:27017 closed');
  return new mongo.MongoBulkWriteError(lost as never, { getWriteErrors: () => [] } as never);
}
