import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { untilAborted } from './until-aborted.ts';

const REASON = new Error('enough');

describe('untilAborted', () => {
  it('settles as the promise does and stops listening to the signal', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    const error = new Error('failed');
    await expect(untilAborted(Promise.reject(error), signal)).rejects.toBe(error);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason of a signal that aborts first, and ignores a later error', async () => {
    const stop = new AbortController();
    const late = Promise.withResolvers<void>();
    const outcome = untilAborted(late.promise, stop.signal);
    stop.abort(REASON);
    await expect(outcome).rejects.toBe(REASON);
    late.reject(new Error('too late'));
  });

  it('rejects at once when the signal was aborted before, and handles an error of the promise', async () => {
    const late = Promise.withResolvers<void>();
    await expect(untilAborted(late.promise, AbortSignal.abort(REASON))).rejects.toBe(REASON);
    late.reject(new Error('too late'));
  });
});
