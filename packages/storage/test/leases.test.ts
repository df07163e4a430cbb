import { describe, expect, it } from '@jest/globals';
import { createStores, type Database } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('leases on $name', ({ start }) => {
  let database: Database;
  useBackend(start, (connected) => {
    database = connected;
  });

  it('grants a lease to one owner until it expires or is released', async () => {
    let now = new Date(0);
    const clock = { now: () => now, nowMs: () => now.getTime() };
    const { leases } = createStores({ models: database.models, clock });
    const ask = (owner: string, nowMs: number) => {
      now = new Date(nowMs);
      return leases.acquire({ role: 'r', owner, leaseMs: 1000 });
    };
    expect(await ask('a', 0)).toBe(true);
    expect(await ask('b', 999)).toBe(false);
    expect(await ask('a', 999)).toBe(true);
    expect(await ask('b', 2000)).toBe(true);
    await leases.release('r', 'a');
    expect(await ask('a', 2001)).toBe(false);
    await leases.release('r', 'b');
    expect(await ask('a', 2002)).toBe(true);
  });
});
