import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('accounts on $name', ({ start }) => {
  let accounts: Stores['accounts'];

  useBackend(start, (connected) => {
    accounts = createStores(connected).accounts;
  });

  it('creates an account once, unlimited by default', async () => {
    const id = createId('acc');
    const made = await Promise.all(
      Array.from({ length: 8 }, () => accounts.ensureAccount({ id, name: 'Default' })),
    );
    expect(made[0]).toMatchObject({ id, name: 'Default', balance: null, reserved: 0 });
    for (const account of made) expect(account).toEqual(made[0]);
    expect(await accounts.ensureAccount({ id, name: 'Renamed', balance: 5 })).toEqual(made[0]);
    expect(await accounts.findAccount(id)).toEqual(made[0]);
  });

  it('returns null for a missing account', async () => {
    const id = createId('acc');
    expect(await accounts.findAccount(id)).toBeNull();
    expect(await accounts.setBalance(id, 5)).toBeNull();
    expect(await accounts.addCredits(id, 5)).toBeNull();
  });

  it('sets a balance, and adds to it concurrently without losing credits', async () => {
    const { id } = await accounts.ensureAccount({ id: createId('acc'), name: 'Limited', balance: 10 });
    expect(await accounts.setBalance(id, 3)).toMatchObject({ balance: 3 });
    await Promise.all(Array.from({ length: 20 }, () => accounts.addCredits(id, 2)));
    expect(await accounts.findAccount(id)).toMatchObject({ balance: 43 });
  });

  it('leaves an unlimited account unlimited when credits are added', async () => {
    const { id } = await accounts.ensureAccount({ id: createId('acc'), name: 'Unlimited' });
    expect(await accounts.addCredits(id, 7)).toMatchObject({ balance: null });
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])(
    'rejects %p as a balance',
    async (balance) => {
      const { id } = await accounts.ensureAccount({ id: createId('acc'), name: 'Limited', balance: 10 });
      await expect(accounts.setBalance(id, balance as number)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
      expect(await accounts.findAccount(id)).toMatchObject({ balance: 10 });
    },
  );
});
