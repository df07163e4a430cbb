import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { afterSilence, signalAfterSilence } from './after-silence.ts';

const MS = 200;

describe('afterSilence', () => {
  it('lets an answer be read that arrived while the process was held up', async () => {
    const events: string[] = [];
    const answered = stat('.').then(() => events.push('answer'));
    const silent = new Promise<void>((resolve) => {
      afterSilence(MS, () => {
        events.push('silence');
        resolve();
      });
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MS + 50);
    await Promise.all([answered, silent]);
    expect(events).toEqual(['answer', 'silence']);
  });

  it('does nothing once it is stopped', async () => {
    let isSilent = false;
    const stop = afterSilence(MS, () => {
      isSilent = true;
    });
    stop();
    await sleep(2 * MS);
    expect(isSilent).toBe(false);
  });
});

describe('signalAfterSilence', () => {
  it('aborts after the time, once what has arrived is read', async () => {
    const signal = signalAfterSilence(MS);
    const answered = stat('.').then(() => signal.aborted);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MS + 50);
    expect(await answered).toBe(false);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason.name).toBe('TimeoutError');
  });
});
