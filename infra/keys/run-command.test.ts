import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { runCommand } from './run-command.ts';

let dataDir: string;
let database: OpenDatabase;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-keys-'));
  database = await openDatabase(dataDir, undefined);
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('npm run keys -- credit', () => {
  it('adds credits to the balance of an account', async () => {
    const { accounts } = database.stores;
    await accounts.ensureAccount({ id: 'acc_shop', name: 'Shop', balance: 20 });
    const text = await runCommand({ action: 'credit', account: 'acc_shop', credits: 500 }, database.stores);
    expect(text).toBe('500 credits were added to acc_shop; its balance is 520.');
    expect(await accounts.findAccount('acc_shop')).toMatchObject({ balance: 520 });
  });

  it('says that an unlimited account needs no credits', async () => {
    await database.stores.accounts.ensureAccount({ id: 'acc_free', name: 'Free' });
    const text = await runCommand({ action: 'credit', account: 'acc_free', credits: 5 }, database.stores);
    expect(text).toBe('acc_free is unlimited; no credits were added.');
  });

  it('rejects an account that does not exist', async () => {
    const command = { action: 'credit', account: 'acc_none', credits: 5 } as const;
    await expect(runCommand(command, database.stores)).rejects.toMatchObject({
      message: 'There is no account acc_none.',
      suggestion: expect.stringContaining('keys -- create --account acc_none'),
    });
  });
});
