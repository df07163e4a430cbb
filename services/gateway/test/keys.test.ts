import { createId, LIMITS } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let admin: TestKey;
let stranger: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '1000' });
  admin = await bed.createKey();
  stranger = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function create(body: unknown) {
  return call(`${gateway.url}/v1/keys`, { key: admin.key, body });
}

describe('POST /v1/keys', () => {
  it('creates a key that works, and shows it once', async () => {
    const { status, json } = await create({
      name: 'CI',
      scopes: ['usage'],
      expiresAt: '2999-01-01T00:00:00+02:00',
    });
    expect(status).toBe(201);
    expect(json.key).toMatchObject({
      name: 'CI',
      scopes: ['usage'],
      expiresAt: '2998-12-31T22:00:00.000Z',
      revokedAt: null,
    });
    expect(json.key.key).toMatch(/^gl_[0-9A-Za-z]{43}$/);
    expect((await call(`${gateway.url}/v1/usage`, { key: json.key.key })).status).toBe(200);
    const list = await call(`${gateway.url}/v1/keys`, { key: admin.key });
    expect(list.text).not.toContain(json.key.key);
  });

  it('refuses more keys than an account may have, until some are revoked', async () => {
    const { key, accountId, keyId } = await bed.createKey();
    const hashes = Array.from(
      { length: LIMITS.maxKeysPerAccount - 1 },
      (_, index) => `${accountId}-${index}`,
    );
    const fields = {
      accountId,
      name: 'Many',
      prefix: 'gl_',
      scopes: ['usage'],
      createdAt: new Date(),
      expiresAt: null,
    };
    await bed.database.models.keys.insertMany(
      hashes.map((hash) => ({ _id: createId('key'), hash, ...fields })),
    );
    const another = () => call(`${gateway.url}/v1/keys`, { key, body: {} });
    const { status, json } = await another();
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('1000 keys')]);
    await bed.database.models.keys.updateOne({ accountId, _id: { $ne: keyId } }, { revokedAt: new Date() });
    expect((await another()).status).toBe(201);
  });

  it('shows when a key was last used, and that it never was', async () => {
    const used = (await create({ name: 'Used', scopes: ['usage'] })).json.key;
    const { id } = (await create({ name: 'Idle' })).json.key;
    expect(used.lastUsedAt).toBeNull();
    await call(`${gateway.url}/v1/usage`, { key: used.key });
    const find = async (wanted: string) => {
      const { json } = await call(`${gateway.url}/v1/keys`, { key: admin.key });
      return json.keys.find((each: { id: string }) => each.id === wanted);
    };
    await eventually(async () => {
      expect(Date.parse((await find(used.id)).lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(used.createdAt));
    });
    expect((await find(id)).lastUsedAt).toBeNull();
  });

  it('grants every scope but admin by default', async () => {
    const { json } = await create({});
    expect(json.key).toMatchObject({
      name: 'Unnamed key',
      scopes: ['scrape', 'jobs', 'schedules', 'profiles', 'webhooks', 'usage'],
    });
  });

  it.each([
    ['an unknown scope', { scopes: ['root'] }, 'scopes.0'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['usage', 'usage'] }, 'scopes'],
    ['an empty name', { name: '' }, 'name'],
    ['a name with a control character', { name: 'a\u001b[31m' }, 'name'],
    ['a name with half a character', { name: 'a\ud800' }, 'name'],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['a leap second that no clock has', { expiresAt: '2990-12-31T23:59:60Z' }, 'expiresAt'],
    ['a day for an end', { expiresAt: '2999-01-01' }, 'expiresAt'],
  ])('refuses %s', async (_, body, path) => {
    const { json } = await create(body);
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path }] });
  });
});

describe('GET /v1/keys', () => {
  it('lists the keys of the account, newest first, a page at a time', async () => {
    const owner = await bed.createKey();
    for (const name of ['second', 'third'])
      await call(`${gateway.url}/v1/keys`, { key: owner.key, body: { name } });
    const first = await call(`${gateway.url}/v1/keys?limit=2`, { key: owner.key });
    expect(first.json.keys.map(({ name }: { name: string }) => name)).toEqual(['third', 'second']);
    expect(first.json.pagination).toEqual({ limit: 2, offset: 0, total: 3, hasMore: true });
    const last = await call(`${gateway.url}/v1/keys?limit=2&offset=2`, { key: owner.key });
    expect(last.json.keys.map(({ id }: { id: string }) => id)).toEqual([owner.keyId]);
    expect(last.json.pagination).toEqual({ limit: 2, offset: 2, total: 3, hasMore: false });
  });

  it.each(['limit=0', 'limit=101', 'limit=ten', 'limit=', 'limit=1.5', 'offset=-1', 'page=2'])(
    'refuses ?%s',
    async (query) => {
      const { json } = await call(`${gateway.url}/v1/keys?${query}`, { key: admin.key });
      expect(json.error.code).toBe('INVALID_REQUEST');
    },
  );
});

describe('GET /v1/keys/current', () => {
  it('tells any key its scopes, and nothing of others', async () => {
    const { json: created } = await create({ name: 'Reporting', scopes: ['usage'] });
    const { status, json } = await call(`${gateway.url}/v1/keys/current`, { key: created.key.key });
    const { key: _secret, ...shown } = created.key;
    expect([status, json.key]).toEqual([200, shown]);
    expect((await call(`${gateway.url}/v1/keys/current`, {})).status).toBe(401);
  });
});

describe('DELETE /v1/keys/{id}', () => {
  it('revokes a key, and answers the same when repeated', async () => {
    const { json } = await create({});
    const revoke = () => call(`${gateway.url}/v1/keys/${json.key.id}`, { key: admin.key, method: 'DELETE' });
    const first = await revoke();
    expect(first.json.key).toMatchObject({ id: json.key.id, revokedAt: expect.any(String) });
    expect((await revoke()).json).toEqual(first.json);
  });

  it('lets a key revoke itself', async () => {
    const { json } = await create({ scopes: ['admin'] });
    const { status } = await call(`${gateway.url}/v1/keys/${json.key.id}`, {
      key: json.key.key,
      method: 'DELETE',
    });
    expect(status).toBe(200);
  });

  it.each([
    'key_01jd8x0000000000000000000',
    'nonsense',
    '%00',
    '%F0%9F%92%A9',
    '%24ne',
    '{}',
    '..%2F',
    `${'x'.repeat(5000)}`,
  ])('does not find %s', async (id) => {
    const { json } = await call(`${gateway.url}/v1/keys/${id}`, { key: admin.key, method: 'DELETE' });
    expect(json.error.code).toBe('KEY_NOT_FOUND');
  });

  it('does not find or change a key of another account', async () => {
    const { json } = await call(`${gateway.url}/v1/keys/${stranger.keyId}`, {
      key: admin.key,
      method: 'DELETE',
    });
    expect(json.error.code).toBe('KEY_NOT_FOUND');
    const list = await call(`${gateway.url}/v1/keys`, { key: stranger.key });
    expect(list.json.keys).toEqual([expect.objectContaining({ id: stranger.keyId, revokedAt: null })]);
  });
});
