import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { serializeError } from './serialize-error.ts';

describe('serializeError', () => {
  it('keeps type, message, stack and the code of an AppError', () => {
    expect(serializeError(new AppError('TIMEOUT', { message: 'too late' }))).toMatchObject({
      type: 'AppError',
      code: 'TIMEOUT',
      message: 'too late',
      source: 'target',
      stack: expect.stringContaining('serialize-error.test'),
    });
  });

  it('lists the whole chain of causes, the nearest first', () => {
    const root = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 5672 });
    const error = new AppError('SERVICE_UNAVAILABLE', { cause: new Error('no broker', { cause: root }) });
    expect(serializeError(error).causes).toMatchObject([
      { message: 'no broker' },
      { message: 'refused', code: 'ECONNREFUSED', port: 5672 },
    ]);
  });

  it('lists the errors of an AggregateError', () => {
    const error = new AggregateError([new Error('one'), 'two'], 'all failed');
    expect(serializeError(error).causes).toMatchObject([
      { message: 'one' },
      { type: 'string', message: 'two' },
    ]);
  });

  it('stops at causes that are circular or very many', () => {
    const circular = new Error('circular');
    circular.cause = circular;
    expect(serializeError(circular)).not.toHaveProperty('causes');
    let deep = new Error('0');
    for (let depth = 1; depth < 1000; depth++) deep = new Error(String(depth), { cause: deep });
    expect(serializeError(deep).causes?.length).toBeLessThan(20);
  });

  it("leaves out all other fields of a library's error", () => {
    const error = Object.assign(new Error('failed'), { options: { headers: { cookie: 'x' } }, response: {} });
    expect(Object.keys(serializeError(error)).sort()).toEqual(['message', 'stack', 'type']);
  });

  it.each([
    ['text', 'string'],
    [42, 'number'],
    [undefined, 'undefined'],
    [null, 'object'],
    [{}, 'object'],
  ])('describes %p, which is not an error', (thrown, type) => {
    expect(serializeError(thrown)).toEqual({ type, message: expect.any(String) });
  });

  it('handles an error whose message is not a string and one whose getters throw', () => {
    expect(serializeError(Object.assign(new Error(), { message: { a: 1 } })).message).toBe('[object Object]');
    const hostile = Object.defineProperty(new Error('x'), 'code', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(serializeError(hostile)).toMatchObject({ message: 'x' });
  });

  it('truncates a very long message', () => {
    expect(serializeError(new Error('x'.repeat(100_000))).message.length).toBeLessThan(10_000);
  });
});
