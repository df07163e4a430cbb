import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createCreditSteps } from '../src/credits/credit-steps.ts';
import { CreditStore } from '../src/credits/credit-store.ts';
import { guarded } from '../src/database/guarded.ts';
import { type Account, createStores, type Stores } from '../src/index.ts';
import { ChargedMonths } from '../src/usage/charged-months.ts';
import { LedgerTrimmer } from '../src/usage/trim-ledger.ts';
import { type CountRequest, UsageCounter } from '../src/usage/usage-counter.ts';
import { UsageStore } from '../src/usage/usage-store.ts';
import { BACKENDS } from './backends.ts';
import { storeJob } from './store-job.ts';
import { useBackend } from './use-backend.ts';

const FROM = new Date('2125-06-01T00:00:00.000Z');
const TO = new Date('2125-06-03T00:00:00.000Z');

describe.each(BACKENDS)('usage on $name', ({ start }) => {
  let stores: Stores;

  const { connect } = useBackend(start, (connected) => {
    stores = createStores(connected);
  });

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

  it('sums charges of the period by day and by operation, and returns reserved and remaining credits', async () => {
    const account = await makeAccount(100);
    await charge(account, '2125-05-31T23:59:59.999Z', 'scrape', 5);
    await charge(account, '2125-06-01T00:00:00.000Z', 'scrape', 1);
    await charge(account, '2125-06-01T13:00:00.000Z', 'page', 2);
    await charge(account, '2125-06-02T23:59:59.999Z', 'scrape', 3);
    await charge(account, '2125-06-03T00:00:00.000Z', 'scrape', 5);
    await stores.credits.release(await reserve(account, FROM), FROM);
    await reserve(account, FROM);

    expect(await stores.usage.summarize({ accountId: account.id, from: FROM, to: TO })).toEqual({
      from: '2125-06-01T00:00:00.000Z',
      to: '2125-06-03T00:00:00.000Z',
      used: 6,
      reserved: 5,
      remaining: 79,
      byDay: [
        { day: '2125-06-01', credits: 3, requests: 2 },
        { day: '2125-06-02', credits: 3, requests: 1 },
      ],
      byOperation: { scrape: { credits: 4, requests: 2 }, page: { credits: 2, requests: 1 } },
    });
  });

  it('returns empty sums for an account without charges, and null remaining credits if it is unlimited', async () => {
    const other = await makeAccount(null);
    await charge(other, '2125-06-01T12:00:00.000Z', 'scrape', 1);
    const { id: accountId } = await makeAccount(null);
    expect(await stores.usage.summarize({ accountId, from: FROM, to: TO })).toMatchObject({
      used: 0,
      reserved: 0,
      remaining: null,
      byDay: [],
      byOperation: {},
    });
  });

  describe('with counted months', () => {
    const DAYS = { from: new Date('2125-05-30T00:00:00.000Z'), to: new Date('2125-06-04T00:00:00.000Z') };
    const LONG_AFTER = new Date('2125-07-20T00:00:00.000Z');

    /** Starts a process that charges, and counts in steps of a few charges. */
    async function startProcess() {
      const database = await connect();
      const charged = new ChargedMonths();
      const credits = new CreditStore(createCreditSteps(database.models, charged));
      const { accounts } = createStores(database);
      const counter = new UsageCounter({ database, charged, chargesPerStep: 3 });
      const trimmer = new LedgerTrimmer({ database, counter, chargesPerStep: 3 });
      return {
        credits,
        ...guarded(new UsageStore({ database, accounts, charged })),
        countCharges: (request: CountRequest) => counter.countCharges(request),
        trimLedger: (request: CountRequest) => trimmer.trimLedger(request),
      };
    }
    type Process = Awaited<ReturnType<typeof startProcess>>;

    async function chargeAt({ credits }: Process, accountId: string, times: readonly string[]) {
      for (const time of times) {
        const reservation = { operationId: createId('req'), accountId, credits: 1, token: null };
        const settlement = {
          keyId: null,
          operation: 'page',
          breakdown: { base: 1 },
          at: new Date(time),
        } as const;
        await credits.settle(reservation, settlement);
      }
    }

    const TIMES = [
      ...['2125-05-30T10:00:00.000Z', '2125-05-31T23:59:59.999Z', '2125-06-01T00:00:00.000Z'],
      ...Array.from({ length: 8 }, () => '2125-06-02T12:00:00.000Z'),
      ...['2125-06-02T12:00:00.001Z', '2125-06-02T12:30:00.000Z', '2125-06-03T01:00:00.000Z'],
    ];
    const EXPECTED = {
      used: 14,
      byDay: [
        { day: '2125-05-30', credits: 1, requests: 1 },
        { day: '2125-05-31', credits: 1, requests: 1 },
        { day: '2125-06-01', credits: 1, requests: 1 },
        { day: '2125-06-02', credits: 10, requests: 10 },
        { day: '2125-06-03', credits: 1, requests: 1 },
      ],
      byOperation: { page: { credits: 14, requests: 14 } },
    };

    it('keeps what it has counted of days whose charges are deleted', async () => {
      const { id: accountId } = await makeAccount(null);
      const counting = await startProcess();
      await chargeAt(counting, accountId, TIMES);
      // Counts all, and checks only the days before the last charge.
      await counting.countCharges({ now: new Date('2125-06-03T03:00:00.000Z') });
      const { models } = await connect();
      await models.charges.deleteMany({ accountId });
      const later = await startProcess();
      await later.summarize({ accountId, ...DAYS });
      await later.countCharges({ now: new Date('2126-10-01T00:00:00.000Z') });
      expect(await later.summarize({ accountId, ...DAYS })).toMatchObject(EXPECTED);
    });

    it('deletes single charges a month later, and keeps their sums and those of unfinished jobs', async () => {
      const { id: accountId } = await makeAccount(null);
      const counting = await startProcess();
      await chargeAt(counting, accountId, TIMES);
      const open = await storeJob(stores, 1, { accountId });
      const { models } = await connect();
      await models.jobs.updateOne({ _id: open }, { $set: { createdAt: new Date(TIMES[0] as string) } });
      await counting.credits.settle(
        { operationId: `${open}:000000`, accountId, credits: 1, token: null },
        { keyId: null, operation: 'page', breakdown: { base: 1 }, at: new Date('2125-06-01T00:00:00.000Z') },
      );
      const daysLeft = async () => {
        const charges = await models.charges.find({ accountId }).sort({ at: 1 }).lean();
        return charges.map(({ _id, day }) => (_id.startsWith(open) ? `${day} open` : day));
      };
      const sums = async () => await counting.summarize({ accountId, ...DAYS });
      // Another process has charged, and counts nothing any more.
      const before = await sums();
      const processes = [await startProcess(), await startProcess()];
      const trim = async (now: string) =>
        await Promise.all(processes.map((process) => process.trimLedger({ now: new Date(now) })));
      await counting.countCharges({ now: new Date('2125-06-04T00:00:00.000Z') });
      await trim('2125-07-03T12:00:00.000Z');
      expect(new Set(await daysLeft())).toEqual(new Set(['2125-06-01 open', '2125-06-02', '2125-06-03']));
      expect(await sums()).toEqual(before);
      await trim('2125-07-05T00:00:00.000Z');
      expect(await daysLeft()).toEqual(['2125-06-01 open']);
      expect(await sums()).toEqual(before);
      expect(
        await models.usageMonths.find({ accountId, ledgerFrom: { $exists: true } }).lean(),
      ).toMatchObject([{ month: '2125-06', ledgerFrom: new Date('2125-06-04T00:00:00.000Z') }]);
    });

    it('returns the same sums at any time while several processes count', async () => {
      const { id: accountId } = await makeAccount(null);
      const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
      const [first] = processes;
      await chargeAt(first, accountId, TIMES);
      for (const process of processes) await process.summarize({ accountId, ...DAYS });
      const clocks = ['2125-05-31T12:00', '2125-06-02T12:05', '2125-06-02T12:33', '2125-06-03T02:00'];
      for (const now of [...clocks.map((clock) => new Date(`${clock}:00.000Z`)), LONG_AFTER]) {
        const answers = await Promise.all(
          processes.map(async (process) => {
            await process.countCharges({ now });
            return await process.summarize({ accountId, ...DAYS });
          }),
        );
        for (const answer of answers) expect(answer).toMatchObject(EXPECTED);
      }
    });

    it('reads only counted days, and not the ledger, once they are counted', async () => {
      const { id: accountId } = await makeAccount(null);
      const process = await startProcess();
      await chargeAt(process, accountId, TIMES);
      await process.countCharges({ now: LONG_AFTER });
      const { models } = await connect();
      await models.charges.deleteMany({ accountId });
      expect(await process.summarize({ accountId, ...DAYS })).toMatchObject(EXPECTED);
      const day = { from: new Date('2125-06-02T00:00:00.000Z'), to: new Date('2125-06-03T00:00:00.000Z') };
      expect(await process.summarize({ accountId, ...day })).toMatchObject({ used: 10 });
    });

    it('includes late charges after a day', async () => {
      const { id: accountId } = await makeAccount(null);
      const process = await startProcess();
      await chargeAt(process, accountId, TIMES);
      await process.countCharges({ now: new Date('2125-06-03T02:00:00.000Z') });
      await chargeAt(process, accountId, ['2125-06-02T12:00:00.000Z']);
      await process.countCharges({ now: new Date('2125-06-03T23:00:00.000Z') });
      expect(await process.summarize({ accountId, ...DAYS })).toMatchObject({ used: 14 });
      await process.countCharges({ now: new Date('2125-06-04T00:00:00.000Z') });
      expect(await process.summarize({ accountId, ...DAYS })).toMatchObject({ used: 15 });
    });

    it('leaves the newest charges to the ledger, since earlier ones may still arrive', async () => {
      const { id: accountId } = await makeAccount(null);
      const process = await startProcess();
      await chargeAt(process, accountId, ['2125-06-02T12:00:00.000Z']);
      await process.countCharges({ now: new Date('2125-06-02T12:04:00.000Z') });
      await chargeAt(process, accountId, ['2125-06-02T11:59:30.000Z']);
      await process.countCharges({ now: new Date('2125-06-02T12:10:00.000Z') });
      expect(await process.summarize({ accountId, ...DAYS })).toMatchObject({ used: 2 });
    });
  });
});
