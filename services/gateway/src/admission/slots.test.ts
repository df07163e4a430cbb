import { describe, expect, it } from '@jest/globals';
import { HeldSlots, SLOT_LEASE_MS, SLOT_RENEWAL_INTERVAL_MS } from './slots.ts';

function setUp() {
  const clock = { ms: 0 };
  const written: string[] = [];
  let fault: Error | undefined;
  const held = new HeldSlots({
    clock: { now: () => new Date(clock.ms), nowMs: () => clock.ms },
    rateLimits: {
      extendSlots: async ({ keyId, operationIds, expiresAt }) => {
        if (fault) throw fault;
        written.push(`${keyId}: ${operationIds.join(' ')} until ${expiresAt.getTime()}`);
      },
    },
  });
  return {
    written,
    held,
    take: (keyId: string, operationId: string) => held.add(keyId, operationId, clock.ms + SLOT_LEASE_MS),
    wait: (ms: number) => {
      clock.ms += ms;
    },
    fail: (error: Error | undefined) => {
      fault = error;
    },
  };
}

describe('HeldSlots', () => {
  it('costs a scrape that is soon over nothing', async () => {
    const { held, take, wait, written } = setUp();
    take('one', 'a');
    wait(SLOT_RENEWAL_INTERVAL_MS);
    await held.renew();
    held.drop('one', 'a');
    wait(SLOT_RENEWAL_INTERVAL_MS);
    await held.renew();
    expect(written).toEqual([]);
  });

  it('renews those that are needed for longer, each key in one write', async () => {
    const { held, take, wait, written } = setUp();
    for (const id of ['a', 'b']) take('one', id);
    take('two', 'c');
    wait(SLOT_RENEWAL_INTERVAL_MS + 1);
    take('two', 'd');
    await held.renew();
    expect(written).toEqual(['one: a b until 40001', 'two: c until 40001']);
  });

  it('renews on and on, twice at least before a slot expires', async () => {
    const { held, take, wait, written, fail } = setUp();
    take('one', 'a');
    wait(SLOT_RENEWAL_INTERVAL_MS + 1);
    await held.renew();
    wait(SLOT_RENEWAL_INTERVAL_MS + 1);
    fail(new Error('away'));
    await expect(held.renew()).rejects.toThrow('away');
    wait(SLOT_RENEWAL_INTERVAL_MS - 2);
    fail(undefined);
    await held.renew();
    expect(written).toEqual(['one: a until 40001', 'one: a until 60000']);
  });
});
