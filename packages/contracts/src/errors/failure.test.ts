import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../schema/compile-schema.ts';
import { AppError } from './app-error.ts';
import { ErrorEnvelopeSchema, toErrorEnvelope } from './error-envelope.ts';
import { ERROR_CODES, ERROR_TABLE } from './error-table.ts';
import { FailureSchema, fromFailure, toFailure } from './failure.ts';

const full = new AppError('RATE_LIMITED', {
  source: 'target',
  message: 'https://example.com/ answered 429.',
  details: [{ path: 'url', message: 'too often' }],
  retryAfterSeconds: 7,
  targetStatusCode: 429,
  attempts: [{ engine: 'http', statusCode: 429, outcome: 'RATE_LIMITED', durationMs: 12 }],
  cause: new Error('kept here'),
});

describe('a failure on the wire', () => {
  it('restores the error without its cause', () => {
    const returned = fromFailure(JSON.parse(JSON.stringify(toFailure(full))));
    expect({ ...returned }).toEqual({ ...full, cause: undefined });
    expect(returned.message).toBe(full.message);
  });

  it.each(ERROR_CODES)('matches its schemas for %s', (code) => {
    expect(compileSchema(FailureSchema)(toFailure(new AppError(code))).ok).toBe(true);
    expect(compileSchema(ErrorEnvelopeSchema)(toErrorEnvelope(new AppError(code), 'req_1')).ok).toBe(true);
  });
});

describe('the error table', () => {
  it.each(ERROR_CODES)('describes when %s happens and what to do, in whole sentences', (code) => {
    const { when, suggestion, httpStatus } = ERROR_TABLE[code];
    expect(when).toMatch(/^[A-Z].*\.$/);
    expect(suggestion).toMatch(/^[A-Z]/);
    expect(httpStatus).toBeGreaterThanOrEqual(400);
  });
});
