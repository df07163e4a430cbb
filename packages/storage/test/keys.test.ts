import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Database, hashKey, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

describe.each(BACKENDS)('keys on $name', ({ start }) => {
  let database: Database;
  let keys: Stores['keys'];

  const { connect } = useBackend(start, (connected) => {
    database = connected;
    keys = createStores(connected).keys;
  });

  it('finds a key by its hash, and does not store the key itself', async () => {
    const { key, ...created } = await keys.createKey({
      accountId: createId('acc'),
      name: 'CI',
      scopes: ['scrape'],
    });
    expect(await keys.findByHash(hashKey(key))).toEqual(created);
    expect(created).toMatchObject({ name: 'CI', scopes: ['scrape'], expiresAt: null, revokedAt: null });
    expect(key.startsWith(created.prefix)).toBe(true);
    const stored = await database.models.keys.findById(created.id).lean();
    expect(JSON.stringify(stored)).not.toContain(key.slice(created.prefix.length));
  });

  it('gives a key every scope except admin and no expiry by default', async () => {
    const created = await keys.createKey({ accountId: createId('acc') });
    expect(created).toMatchObject({
      name: 'Unnamed key',
      scopes: ['scrape', 'jobs', 'schedules', 'profiles', 'webhooks', 'usage'],
      expiresAt: null,
    });
  });

  it('stores the expiry of a key', async () => {
    const expiresAt = new Date('2031-05-06T07:08:09.123Z');
    const { key } = await keys.createKey({ accountId: createId('acc'), expiresAt });
    expect((await keys.findByHash(hashKey(key)))?.expiresAt).toEqual(expiresAt);
  });

  it.each([
    ['an unknown hash', hashKey('unknown')],
    ['an empty text', ''],
    ['an operator', { $ne: null }],
    ['an operator in a list', [{ $gt: '' }]],
    ['a pattern', /.*/],
    ['nothing', undefined],
  ])('returns null for %s', async (_case, hash) => {
    await keys.createKey({ accountId: createId('acc') });
    expect(await keys.findByHash(hash as string)).toBeNull();
  });

  it('imports a key once when several replicas import it repeatedly', async () => {
    const key = `gl_operators-own-key.${createId('req')}`;
    const account = { accountId: createId('acc'), name: 'Bootstrap', scopes: ['admin'] as const };
    const other = createStores(await connect()).keys;
    const imported = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => (turn % 2 ? keys : other).importKey({ ...account, key })),
    );
    expect(new Set(imported.map(({ id }) => id)).size).toBe(1);
    expect(await keys.findByHash(hashKey(key))).toEqual(imported[0]);
    expect((await keys.listKeys(account.accountId, { limit: 10, offset: 0 })).total).toBe(1);
  });

  it('keeps a revoked key revoked when it is imported again', async () => {
    const key = `gl_operators-own-key.${createId('req')}`;
    const accountId = createId('acc');
    const { id } = await keys.importKey({ accountId, key });
    await keys.revokeKey(accountId, id);
    expect((await keys.importKey({ accountId, key })).revokedAt).toBeInstanceOf(Date);
  });

  it('rejects the import of a weak key', async () => {
    await expect(keys.importKey({ accountId: createId('acc'), key: 'changeme' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it("lists an account's own keys, newest first, a page at a time", async () => {
    const accountId = createId('acc');
    await keys.createKey({ accountId: createId('acc') });
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth'])
      await keys.createKey({ accountId, name });
    const namesOf = async (limit: number, offset: number) => {
      const page = await keys.listKeys(accountId, { limit, offset });
      expect(page.total).toBe(5);
      return page.keys.map(({ name }) => name);
    };
    const all = await namesOf(100, 0);
    expect(all.toSorted()).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
    expect([...(await namesOf(2, 0)), ...(await namesOf(2, 2)), ...(await namesOf(2, 4))]).toEqual(all);
    expect(await namesOf(2, 6)).toEqual([]);
    const { keys: listed } = await keys.listKeys(accountId, { limit: 100, offset: 0 });
    const times = listed.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  it('revokes a key once', async () => {
    const accountId = createId('acc');
    const { id, key } = await keys.createKey({ accountId });
    const revoked = await keys.revokeKey(accountId, id);
    expect(revoked?.revokedAt).toBeInstanceOf(Date);
    expect(await keys.revokeKey(accountId, id)).toEqual(revoked);
    expect(await keys.findByHash(hashKey(key))).toEqual(revoked);
  });

  it('revokes only a key of the account that is named by its id', async () => {
    const accountId = createId('acc');
    const { id, key } = await keys.createKey({ accountId });
    expect(await keys.revokeKey(createId('acc'), id)).toBeNull();
    expect(await keys.revokeKey(accountId, 'key_unknown')).toBeNull();
    expect(await keys.revokeKey(accountId, { $ne: null } as never)).toBeNull();
    expect((await keys.findByHash(hashKey(key)))?.revokedAt).toBeNull();
  });
});
