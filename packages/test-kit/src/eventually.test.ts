import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('returns the result of the check once it no longer throws', async () => {
    let tries = 0;
    const check = () => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      return tries;
    };
    await expect(eventually(check, { intervalMs: 1 })).resolves.toBe(3);
  });

  it('throws the last error of the check when time runs out', async () => {
    let tries = 0;
    const check = async () => {
      tries += 1;
      throw new Error(`failed ${tries} times`);
    };
    await expect(eventually(check, { timeoutMs: 500, intervalMs: 1 })).rejects.toThrow(/^failed \d+ times$/);
    expect(tries).toBeGreaterThan(1);
  });
});
