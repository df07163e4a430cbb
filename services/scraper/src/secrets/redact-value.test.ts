import { AppError } from '@gleaner/contracts';
import { isWorthAnotherProxy } from '@gleaner/egress';
import { describe, expect, it } from '@jest/globals';
import { NoPage, redirectedTo } from '../classify/no-page.ts';
import { redactValue } from './redact-value.ts';

const redact = (text: string) => text.replaceAll('horse', '[redacted]');

describe('redactValue', () => {
  it('returns an error without secrets as it is', () => {
    const cause = Object.assign(new Error('broken'), { code: 'ECONNRESET' });
    for (const error of [new AppError('TIMEOUT', { cause }), cause, new TypeError('none'), undefined, 7])
      expect(redactValue(error, redact)).toBe(error);
  });

  it('keeps the class, the code and the fields of an error that has one', () => {
    const error = redirectedTo('https://shop.example/?p=horse', 'https://shop.example/');
    const shown = redactValue(error, redact);
    expect(shown).toBeInstanceOf(NoPage);
    expect(shown).toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      name: 'AppError',
      outcome: { kind: 'redirected', url: 'https://shop.example/?p=[redacted]' },
    });
  });

  it('keeps the cause, by which another proxy is tried', () => {
    const cause = Object.assign(new Error('reset by horse'), { code: 'ECONNRESET' });
    const error = new AppError('UPSTREAM_ERROR', { message: 'horse broke', cause });
    const shown = redactValue(error, redact) as AppError;
    expect(isWorthAnotherProxy(shown)).toBe(true);
    expect(shown.cause).toBeInstanceOf(Error);
    expect(shown.cause).toMatchObject({ message: 'reset by [redacted]', code: 'ECONNRESET' });
  });

  it('hides secrets in every text: message, suggestion, details, stack, causes of any class', () => {
    const details = [{ path: 'actions.0', message: 'no horse' }];
    const cause = new AggregateError([new SyntaxError('/horse/')], 'horses', { cause: { text: 'horse' } });
    const error = new AppError('ACTION_FAILED', {
      message: 'a horse',
      suggestion: 'Feed the horse.',
      details,
      cause,
    });
    const shown = redactValue(error, redact) as AppError & { cause: AggregateError };
    const { message, suggestion, stack } = shown;
    const texts = [message, suggestion, stack, shown.details, shown.cause.message, shown.cause.stack];
    expect(JSON.stringify([texts, shown.cause.errors.map(String), shown.cause.cause])).not.toMatch(/horse/);
    expect(shown.details).toEqual([{ path: 'actions.0', message: 'no [redacted]' }]);
    expect(shown.cause).toBeInstanceOf(AggregateError);
  });

  it('ends with causes that go round', () => {
    const error = new Error('horse');
    error.cause = error;
    expect(redactValue(error, redact)).toMatchObject({ message: '[redacted]' });
  });
});
