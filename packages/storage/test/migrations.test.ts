import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database } from '../src/index.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from '../src/migrations/migrations.ts';
import { BACKENDS, SILENT_LOGGER } from './backends.ts';

describe.each(BACKENDS)('migrations on $name', ({ start }) => {
  const run = (database: Database, migrations?: readonly Migration[]) =>
    migrate({
      models: database.models,
      clock: database.clock,
      logger: SILENT_LOGGER,
      signal: AbortSignal.timeout(240_000),
      ...defined({ migrations }),
    });

  it('are applied once, in order, however many processes start at the same time', async () => {
    const backend = await start();
    try {
      const applied: number[] = [];
      const migrations = [SCHEMA_VERSION + 1, SCHEMA_VERSION + 2].map((version) => ({
        version,
        what: 'a test',
        apply: async () => {
          applied.push(version);
          await sleep(20);
        },
      }));
      const databases = await Promise.all([1, 2, 3].map(() => backend.connect()));
      await Promise.all(databases.map((database) => run(database, [...MIGRATIONS, ...migrations])));
      expect(applied).toEqual([SCHEMA_VERSION + 1, SCHEMA_VERSION + 2]);
      const [database] = databases;
      if (database)
        await expect(run(database)).rejects.toThrow(`has the schema version ${SCHEMA_VERSION + 2}`);
    } finally {
      await backend.stop();
    }
  });

  it('continue after one that failed, without those that were applied', async () => {
    const backend = await start();
    try {
      const database = await backend.connect();
      let attempts = 0;
      const applied: string[] = [];
      const failing: Migration[] = [
        { version: SCHEMA_VERSION + 1, what: 'the first', apply: async () => void applied.push('first') },
        {
          version: SCHEMA_VERSION + 2,
          what: 'the second',
          apply: async () => {
            attempts += 1;
            if (attempts === 1) throw new Error('The process has died.');
            applied.push('second');
          },
        },
      ];
      await expect(run(database, [...MIGRATIONS, ...failing])).rejects.toThrow('The process has died.');
      await run(database, [...MIGRATIONS, ...failing]);
      expect(applied).toEqual(['first', 'second']);
    } finally {
      await backend.stop();
    }
  });

  it('let charges of earlier versions expire after the retention of the ledger', async () => {
    const backend = await start();
    try {
      const database = await backend.connect();
      const at = new Date();
      const charge = { accountId: 'acc_1', token: null, credits: 1, at };
      await database.models.charges.insertMany([
        { ...charge, _id: 'old', outcome: 'charged' },
        { ...charge, _id: 'released', outcome: 'released', expiresAt: at },
      ]);
      await run(database);
      const days = async (id: string) => {
        const found = await database.models.charges.findById(id).lean();
        return ((found?.expiresAt?.getTime() ?? 0) - at.getTime()) / 86_400_000;
      };
      expect([await days('old'), await days('released')]).toEqual([400, 0]);
      const stores = createStores(database);
      await stores.accounts.ensureAccount({ id: 'acc_1', name: 'One' });
      const reservation = { operationId: 'new', accountId: 'acc_1', credits: 1, token: null };
      const settlement = { keyId: null, operation: 'page', breakdown: { base: 1 }, at } as const;
      await stores.credits.settle(reservation, settlement);
      expect(await days('new')).toBe(400);
    } finally {
      await backend.stop();
    }
  });
});
