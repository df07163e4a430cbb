import { describe, expect, it } from '@jest/globals';
import { AppError, toAppError } from './app-error.ts';

describe('AppError', () => {
  it('takes message, suggestion and source from the table unless told otherwise', () => {
    const error = new AppError('BLOCKED');
    expect(error.source).toBe('target');
    expect(error.suggestion).toContain('antiBot');
    expect(new AppError('RATE_LIMITED', { source: 'target' }).source).toBe('target');
  });
});

describe('toAppError', () => {
  it('keeps our own errors and hides everything else behind INTERNAL_ERROR', () => {
    const own = new AppError('TIMEOUT');
    expect(toAppError(own)).toBe(own);
    const foreign = toAppError(new Error('password=hunter2'));
    expect(foreign.code).toBe('INTERNAL_ERROR');
    expect(foreign.message).not.toContain('hunter2');
  });
});
