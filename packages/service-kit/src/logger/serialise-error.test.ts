import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { serialiseError } from './serialise-error.ts';

describe('serialiseError', () => {
  it('shows type, message, stack and the code of an AppError', () => {
    expect(serialiseError(new AppError('TIMEOUT', { message: 'too late' }))).toMatchObject({
      type: 'AppError',
      code: 'TIMEOUT',
      message: 'too late',
      source: 'target',
      stack: expect.stringContaining('serialise-error.test'),
    });
  });

  it('lists the whole chain of causes, the nearest first', () => {
    const root = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 5672 });
    const error = new AppError('SERVICE_UNAVAILABLE', { cause: new Error('no broker', { cause: root }) });
    expect(serialiseError(error).causes).toMatchObject([
      { message: 'no broker' },
      { message: 'refused', code: 'ECONNREFUSED', port: 5672 },
    ]);
  });

  it('lists the errors of an AggregateError', () => {
    const error = new AggregateError([new Error('one'), 'two'], 'all failed');
    expect(serialiseError(error).causes).toMatchObject([
      { message: 'one' },
      { type: 'string', message: 'two' },
    ]);
  });

  it('ends with causes that go round in a circle or go on for ever', () => {
    const round = new Error('round');
    round.cause = round;
    expect(serialiseError(round)).not.toHaveProperty('causes');
    let deep = new Error('0');
    for (let depth = 1; depth < 1000; depth++) deep = new Error(String(depth), { cause: deep });
    expect(serialiseError(deep).causes?.length).toBeLessThan(20);
  });

  it('leaves out whatever else hangs on a foreign error', () => {
    const error = Object.assign(new Error('failed'), { options: { headers: { cookie: 'x' } }, response: {} });
    expect(Object.keys(serialiseError(error)).sort()).toEqual(['message', 'stack', 'type']);
  });

  it.each([
    ['text', 'string'],
    [42, 'number'],
    [undefined, 'undefined'],
    [null, 'object'],
    [{}, 'object'],
  ])('describes %p, which is not an error', (thrown, type) => {
    expect(serialiseError(thrown)).toEqual({ type, message: expect.any(String) });
  });

  it('survives an error whose message is not a text and one that throws when looked at', () => {
    expect(serialiseError(Object.assign(new Error(), { message: { a: 1 } })).message).toBe('[object Object]');
    const hostile = Object.defineProperty(new Error('x'), 'code', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(serialiseError(hostile)).toMatchObject({ message: 'x' });
  });

  it('cuts a message that is a whole page', () => {
    expect(serialiseError(new Error('x'.repeat(100_000))).message.length).toBeLessThan(10_000);
  });
});
