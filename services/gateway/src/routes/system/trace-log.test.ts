import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TraceLog } from './trace-log.ts';

/** Returns a log on a disk, a function that adds a trace, and the request ids of the stored traces. */
function logOn(disk: () => Promise<void>) {
  const stored: string[] = [];
  const log = new TraceLog({
    clock: { nowMs: () => Date.now() },
    traces: {
      insertTraces: async (traces) => {
        if (traces.length > 0) await disk();
        stored.push(...traces.map(({ requestId }) => requestId));
      },
    },
  });
  const add = (requestId: string) =>
    log.add({
      accountId: 'acc_1',
      requestId,
      request: { url: 'https://example.com/' },
      state: 'success',
      durationMs: 5,
      attempts: [],
    });
  return { log, add, stored };
}

describe('TraceLog', () => {
  it('waits for traces that another flush is storing', async () => {
    const disk = Promise.withResolvers<void>();
    const { log, add, stored } = logOn(() => disk.promise);
    add('req_1');
    const first = log.flush();
    const second = log.flush().then(() => 'flushed');
    expect(await Promise.race([second, setImmediate('waiting')])).toBe('waiting');
    disk.resolve();
    await Promise.all([first, second]);
    expect(stored).toEqual(['req_1']);
  });

  it('stores the next traces after some that could not be stored', async () => {
    let isDown = true;
    const { log, add, stored } = logOn(async () => {
      if (isDown) throw new Error('The database is down.');
    });
    add('req_1');
    await expect(log.flush()).rejects.toThrow('The database is down.');
    isDown = false;
    add('req_2');
    await log.flush();
    expect(stored).toEqual(['req_2']);
  });
});
