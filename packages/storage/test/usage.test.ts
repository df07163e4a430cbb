import { createId } from '@gleaner/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, createStores, type Stores } from '../src/index.ts';
import { BACKENDS, type RunningBackend } from './backends.ts';

const FROM = new Date('2025-06-01T00:00:00.000Z');
const TO = new Date('2025-06-03T00:00:00.000Z');

describe.each(BACKENDS)('usage on $name', ({ start }) => {
  let backend: RunningBackend;
  let stores: Stores;

  beforeAll(async () => {
    backend = await start();
    stores = createStores(await backend.connect());
  });
  afterAll(() => backend.stop());

  const makeAccount = (balance: number | null) =>
    stores.accounts.ensureAccount({ id: createId('acc'), name: 'Test', balance });

  const reserve = (account: Account, now: Date) =>
    stores.credits.reserve({ account, operationId: createId('req'), credits: 5, now, expiresAt: TO });

  async function charge(account: Account, time: string, operation: 'scrape' | 'page', base: number) {
    const at = new Date(time);
    await stores.credits.settle(await reserve(account, at), {
      keyId: 'key_1',
      operation,
      breakdown: { base },
      at,
    });
  }

  it('sums charges of the period by day and by operation, and shows what is held and left', async () => {
    const account = await makeAccount(100);
    await charge(account, '2025-05-31T23:59:59.999Z', 'scrape', 5);
    await charge(account, '2025-06-01T00:00:00.000Z', 'scrape', 1);
    await charge(account, '2025-06-01T13:00:00.000Z', 'page', 2);
    await charge(account, '2025-06-02T23:59:59.999Z', 'scrape', 3);
    await charge(account, '2025-06-03T00:00:00.000Z', 'scrape', 5);
    await stores.credits.release(await reserve(account, FROM), FROM);
    await reserve(account, FROM);

    expect(await stores.usage.summarise({ accountId: account.id, from: FROM, to: TO })).toEqual({
      from: '2025-06-01T00:00:00.000Z',
      to: '2025-06-03T00:00:00.000Z',
      used: 6,
      reserved: 5,
      remaining: 79,
      byDay: [
        { day: '2025-06-01', credits: 3, requests: 2 },
        { day: '2025-06-02', credits: 3, requests: 1 },
      ],
      byOperation: { scrape: { credits: 4, requests: 2 }, page: { credits: 2, requests: 1 } },
    });
  });

  it('is empty for an account that did nothing, and has no remaining where it is unlimited', async () => {
    const other = await makeAccount(null);
    await charge(other, '2025-06-01T12:00:00.000Z', 'scrape', 1);
    const { id: accountId } = await makeAccount(null);
    expect(await stores.usage.summarise({ accountId, from: FROM, to: TO })).toMatchObject({
      used: 0,
      reserved: 0,
      remaining: null,
      byDay: [],
      byOperation: {},
    });
  });
});
