import { type CreditsBreakdown, createId } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Account,
  createStores,
  type Database,
  pageIdOf,
  type Reservation,
  type Stores,
} from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

// Far in the future, so that stored documents do not expire by the server's clock.
const NOW = new Date('2099-06-01T12:00:00.000Z');
const LATER = new Date('2099-06-01T12:05:00.000Z');

describe.each(BACKENDS)('credits on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;
  let replica: Stores;

  useBackend(start, async (connected, backend) => {
    database = connected;
    stores = createStores(connected);
    replica = createStores(await backend.connect());
  });

  const makeAccount = (balance: number | null) =>
    stores.accounts.ensureAccount({ id: createId('acc'), name: 'Test', balance });

  const reserve = (account: Account, credits: number, operationId: string = createId('req'), by = stores) =>
    by.credits.reserve({ account, operationId, credits, now: NOW, expiresAt: LATER });

  const settle = (reservation: Reservation, breakdown: CreditsBreakdown = { base: 1 }, by = stores) =>
    by.credits.settle(reservation, { keyId: 'key_1', operation: 'scrape', breakdown, at: NOW });

  const creditsOf = async ({ id }: Account) => {
    const account = await stores.accounts.findAccount(id);
    return { balance: account?.balance, reserved: account?.reserved };
  };
  const chargedTo = async ({ id }: Account) => {
    const charges = await database.models.charges.find({ accountId: id, outcome: 'charged' }).lean();
    return charges.map(({ credits }) => credits);
  };

  it('holds the worst case first, and returns credits of options that did not run', async () => {
    const account = await makeAccount(20);
    const reservation = await reserve(account, 15);
    expect(await creditsOf(account)).toEqual({ balance: 5, reserved: 15 });
    expect(await settle(reservation, { base: 1, render: 4 })).toEqual({ outcome: 'charged', credits: 5 });
    expect(await creditsOf(account)).toEqual({ balance: 15, reserved: 0 });
    expect(await chargedTo(account)).toEqual([5]);
  });

  it('lets exactly as many operations succeed as there are credits, over all replicas', async () => {
    const account = await makeAccount(7);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, async (_, turn) => {
        const by = turn % 2 ? stores : replica;
        return settle(await reserve(account, 1, undefined, by), { base: 1 }, by);
      }),
    );
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(rejected).toHaveLength(23);
    for (const reason of rejected) expect(reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(await creditsOf(account)).toEqual({ balance: 0, reserved: 0 });
    expect(await chargedTo(account)).toHaveLength(7);
  });

  it('names price and balance when credits do not suffice, and takes nothing', async () => {
    const account = await makeAccount(4);
    await expect(reserve(account, 5)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: 'The account has too few credits: the request may cost 5, and the balance is 4.',
    });
    expect(await creditsOf(account)).toEqual({ balance: 4, reserved: 0 });
  });

  it('charges an operation once when it is settled repeatedly by several replicas', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 5);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => settle(reservation, { base: 1 }, turn % 2 ? stores : replica)),
    );
    for (const outcome of outcomes) expect(outcome).toEqual({ outcome: 'charged', credits: 1 });
    expect(await creditsOf(account)).toEqual({ balance: 9, reserved: 0 });
    expect(await chargedTo(account)).toEqual([1]);
  });

  it('returns the first outcome when an operation is settled with another price', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 5);
    await settle(reservation, { base: 1 });
    expect(await settle(reservation, { base: 1, render: 4 })).toEqual({ outcome: 'charged', credits: 1 });
    expect(await creditsOf(account)).toEqual({ balance: 9, reserved: 0 });
  });

  it('does not charge an operation that was released before', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 5);
    expect(await stores.credits.release(reservation, NOW)).toEqual({ outcome: 'released', credits: 0 });
    expect(await settle(reservation)).toEqual({ outcome: 'released', credits: 0 });
    expect(await creditsOf(account)).toEqual({ balance: 10, reserved: 0 });
    expect(await chargedTo(account)).toEqual([]);
  });

  it('does not release an operation that was charged before', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 5);
    await settle(reservation);
    expect(await stores.credits.release(reservation, NOW)).toEqual({ outcome: 'charged', credits: 1 });
    expect(await creditsOf(account)).toEqual({ balance: 9, reserved: 0 });
  });

  it('returns the same outcome to a concurrent settlement and release', async () => {
    const account = await makeAccount(100);
    for (let turn = 0; turn < 20; turn += 1) {
      const reservation = await reserve(account, 2);
      const [settled, released] = await Promise.all([
        settle(reservation),
        replica.credits.release(reservation, NOW),
      ]);
      expect(settled).toEqual(released);
    }
    const charged = await chargedTo(account);
    expect(await creditsOf(account)).toEqual({ balance: 100 - charged.length, reserved: 0 });
  });

  it('decides operations that end together, each for itself', async () => {
    const account = await makeAccount(100);
    const reserved = await Promise.all(Array.from({ length: 12 }, () => reserve(account, 5)));
    const [charged, released, ...others] = reserved as [Reservation, Reservation, ...Reservation[]];
    await settle(charged, { base: 2 });
    await replica.credits.release(released, NOW);
    const outcomes = await Promise.all([...reserved, ...others].map((reservation) => settle(reservation)));
    expect(outcomes).toEqual([
      { outcome: 'charged', credits: 2 },
      { outcome: 'released', credits: 0 },
      ...[...others, ...others].map(() => ({ outcome: 'charged', credits: 1 })),
    ]);
    expect(await creditsOf(account)).toEqual({ balance: 88, reserved: 0 });
    expect((await chargedTo(account)).toSorted((a, b) => a - b)).toEqual([...others.map(() => 1), 2]);
  });

  it('charges each page once when they are settled repeatedly, and returns unused credits', async () => {
    const account = await stores.accounts.ensureAccount({ id: createId('acc'), name: 'Poor', balance: 100 });
    const jobId = createId('job');
    const hold = (index: number) => {
      const operationId = pageIdOf(jobId, index);
      return stores.credits.reserve({ account, operationId, credits: 5, now: NOW, expiresAt: LATER });
    };
    for (const index of [0, 1, 2]) await hold(index);
    const operations = [0, 1].map((index) => ({
      operationId: pageIdOf(jobId, index),
      accountId: account.id,
      credits: 5,
      settlement: { keyId: null, operation: 'page', breakdown: { base: 1 }, at: NOW } as const,
    }));
    await stores.credits.settleAll(operations);
    await stores.credits.settleAll(operations);
    expect(await stores.credits.sumCharges(`${jobId}:`)).toEqual({ operations: 2, credits: 2 });
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 93, reserved: 5 });
    // A process that was paused reserves pages that were charged while it stood still.
    for (const index of [0, 1]) await hold(index);
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 83, reserved: 15 });
    await stores.credits.settleAll(operations.slice(0, 1));
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 88, reserved: 10 });
    await stores.credits.endReservations({ accountId: account.id, operationPrefix: `${jobId}:`, at: NOW });
    expect(await stores.accounts.findAccount(account.id)).toMatchObject({ balance: 98, reserved: 0 });
  });

  it('holds credits once when an operation is reserved twice', async () => {
    const account = await makeAccount(5);
    const operationId = createId('req');
    const first = await reserve(account, 5, operationId);
    expect(await reserve(account, 5, operationId, replica)).toEqual(first);
    expect(await creditsOf(account)).toEqual({ balance: 0, reserved: 5 });
  });

  it('charges nothing more when a settled operation is repeated', async () => {
    const account = await makeAccount(10);
    const operationId = createId('req');
    await settle(await reserve(account, 5, operationId), { base: 1, render: 4 });
    const again = await reserve(account, 5, operationId, replica);
    expect(await creditsOf(account)).toEqual({ balance: 0, reserved: 5 });
    expect(await settle(again, { base: 1 }, replica)).toEqual({ outcome: 'charged', credits: 5 });
    expect(await creditsOf(account)).toEqual({ balance: 5, reserved: 0 });
    expect(await chargedTo(account)).toEqual([5]);
  });

  it('enters charges of an unlimited account in the ledger once, and holds nothing', async () => {
    const account = await makeAccount(null);
    const reservation = await reserve(account, 15);
    expect(await creditsOf(account)).toEqual({ balance: null, reserved: 0 });
    await Promise.all([settle(reservation, { base: 1, antiBot: 10 }), settle(reservation)]);
    expect(await chargedTo(account)).toHaveLength(1);
    expect(await creditsOf(account)).toEqual({ balance: null, reserved: 0 });
  });

  it('holds nothing if the account has become unlimited since it was read', async () => {
    const account = await makeAccount(1);
    await stores.accounts.setBalance(account.id, null);
    expect(await reserve(account, 15)).toMatchObject({ token: null });
  });

  it('pays for running operations from the old balance when another is set', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 5);
    await stores.accounts.setBalance(account.id, 100);
    expect(await creditsOf(account)).toEqual({ balance: 100, reserved: 0 });
    expect(await settle(reservation)).toEqual({ outcome: 'charged', credits: 1 });
    expect(await creditsOf(account)).toEqual({ balance: 100, reserved: 0 });
  });

  it('rejects a charge above the reservation, and enters nothing', async () => {
    const account = await makeAccount(10);
    const reservation = await reserve(account, 1);
    await expect(settle(reservation, { base: 1, render: 4 })).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
    expect(await chargedTo(account)).toEqual([]);
    expect(await creditsOf(account)).toEqual({ balance: 9, reserved: 1 });
  });

  it('rejects a reservation of a missing account', async () => {
    const missing = { id: createId('acc'), name: 'Missing', balance: 1, reserved: 0, createdAt: NOW };
    await expect(reserve(missing, 1)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  describe('sweepReservations', () => {
    const sweep = (now: Date, by = stores) => by.credits.sweepReservations({ now });

    // Releases reservations left by other tests.
    beforeEach(() => sweep(LATER));

    it('releases a reservation once it expires, and not earlier', async () => {
      const account = await makeAccount(10);
      const reservation = await reserve(account, 5);
      expect(await sweep(new Date(LATER.getTime() - 1))).toEqual({ charged: 0, released: 0 });
      expect(await creditsOf(account)).toEqual({ balance: 5, reserved: 5 });
      expect(await sweep(LATER)).toEqual({ charged: 0, released: 1 });
      expect(await creditsOf(account)).toEqual({ balance: 10, reserved: 0 });
      expect(await settle(reservation)).toEqual({ outcome: 'released', credits: 0 });
      expect(await creditsOf(account)).toEqual({ balance: 10, reserved: 0 });
    });

    it('charges a reservation if its charge was decided but not subtracted', async () => {
      const account = await makeAccount(10);
      const reservation = await reserve(account, 5);
      await database.models.charges.create({
        _id: reservation.operationId,
        accountId: account.id,
        outcome: 'charged',
        token: reservation.token,
        credits: 2,
        at: NOW,
      });
      expect(await sweep(LATER)).toEqual({ charged: 1, released: 0 });
      expect(await creditsOf(account)).toEqual({ balance: 8, reserved: 0 });
    });

    it('returns credits once when several replicas sweep', async () => {
      const account = await makeAccount(10);
      await Promise.all(Array.from({ length: 5 }, () => reserve(account, 2)));
      await Promise.all([sweep(LATER), sweep(LATER, replica), sweep(LATER), sweep(LATER, replica)]);
      expect(await creditsOf(account)).toEqual({ balance: 10, reserved: 0 });
      expect(await sweep(LATER)).toEqual({ charged: 0, released: 0 });
    });

    it('stops at the signal, and leaves reservations as they are', async () => {
      const account = await makeAccount(10);
      await reserve(account, 5);
      const sweeping = stores.credits.sweepReservations({ now: LATER, signal: AbortSignal.abort() });
      await expect(sweeping).rejects.toThrow('abort');
      expect(await sweep(LATER)).toEqual({ charged: 0, released: 1 });
    });
  });
});
