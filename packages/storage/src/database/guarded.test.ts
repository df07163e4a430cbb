import { stat } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { OPERATION_TIMEOUT_MS } from './connection-options.ts';
import { bounded } from './guarded.ts';

describe('bounded', () => {
  it('returns an answer that arrived while the process was held up', async () => {
    const answer = bounded(async () => (await stat('.')).isDirectory());
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPERATION_TIMEOUT_MS + 100);
    expect(await answer).toBe(true);
  });
});
