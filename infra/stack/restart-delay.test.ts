import { describe, expect, it } from '@jest/globals';
import { restartDelayMs } from './restart-delay.ts';

describe('restartDelayMs', () => {
  it('restarts at once after the first failure, then waits longer each time, up to 10 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(restartDelayMs)).toEqual([
      0, 0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]);
  });
});
