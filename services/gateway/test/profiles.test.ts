import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;

const SECRETS_KEY = 'k'.repeat(32);
const PASSWORD = 'correct horse battery';
const STATE = {
  cookies: [{ name: 'session', value: 'a1b2c3-session', domain: 'shop.example', path: '/', httpOnly: true }],
  origins: [
    {
      origin: 'https://shop.example',
      localStorage: [{ name: 'token', value: 'd4e5f6-token' }],
      indexedDB: [
        {
          name: 'session',
          version: 2,
          stores: [
            {
              name: 'keys',
              autoIncrement: false,
              indexes: [],
              records: [{ key: 1, valueEncoded: { d: '2026-01-02T00:00:00.000Z' } }],
            },
          ],
        },
      ],
    },
  ],
};
const LOGIN = {
  url: 'https://shop.example/login',
  actions: [{ fill: '#password', value: PASSWORD }, { click: '#sign-in' }],
  check: { present: '.account' },
};

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '1000', SECRETS_KEY });
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

let count = 0;

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(`${gateway.url}/v1/profiles${path}`, { key: owner.key, ...options });
}

/** Creates a profile with a name of its own. */
async function create(body: object): Promise<TestAnswer> {
  count += 1;
  return await ask('', { body: { name: `shop ${count}`, ...body } });
}

describe('POST /v1/profiles', () => {
  it('takes a state of Playwright, and returns it to admins', async () => {
    const { status, headers, json } = await create({ storageState: STATE, ttl: 3_600_000 });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/v1/profiles/${json.profile.id}`);
    expect(json.profile).toMatchObject({ status: 'ready', logins: 1, proxy: null, ttl: 3_600_000 });
    const { signedInAt, expiresAt } = json.profile;
    expect(Date.parse(expiresAt) - Date.parse(signedInAt)).toBe(3_600_000);
    const { json: reply } = await ask(`/${json.profile.id}/state`);
    expect(reply.storageState).toEqual(STATE);
    const { key } = await bed.createKey({ accountId: owner.accountId, scopes: ['profiles'] });
    expect((await ask(`/${json.profile.id}`, { key })).status).toBe(200);
    expect((await ask(`/${json.profile.id}/state`, { key })).json.error.code).toBe('FORBIDDEN');
  });

  it('leaves out cookies that have expired', async () => {
    const expired = { name: 'old', value: 'x', domain: 'shop.example', path: '/', expires: 1_000_000 };
    const storageState = { ...STATE, cookies: [...STATE.cookies, expired] };
    const { json } = await create({ storageState });
    expect((await ask(`/${json.profile.id}/state`)).json.storageState).toEqual(STATE);
  });

  it('wants a login where steps can sign in, and a person otherwise', async () => {
    expect((await create({ login: LOGIN })).json.profile).toMatchObject({ status: 'signing-in', logins: 0 });
    const { actions: _actions, ...byPerson } = LOGIN;
    const { json } = await create({ login: byPerson });
    expect(json.profile).toMatchObject({ status: 'expired', signedInAt: null, login: byPerson });
    const refused = await ask(`/${json.profile.id}/login`, { method: 'POST' });
    expect(refused.json.error.message).toContain('has no actions that sign in');
  });

  it('shows, stores and logs neither what is written nor the state', async () => {
    const { json, text } = await create({ login: LOGIN, storageState: STATE });
    expect(json.profile.login.actions[0]).toEqual({ fill: '#password', value: '[redacted]' });
    const list = await ask('');
    const stored = await bed.database.models.profiles.find().lean();
    for (const place of [text, list.text, JSON.stringify(stored), bed.logLines.join('\n')])
      for (const secret of [PASSWORD, 'a1b2c3-session', 'd4e5f6-token']) expect(place).not.toContain(secret);
  });

  it('lists every error by its path', async () => {
    const wrongUrl = await create({ login: { ...LOGIN, url: 'http://127.0.0.1/login' } });
    expect(wrongUrl.json.error).toMatchObject({ code: 'INVALID_URL', details: [{ path: 'login.url' }] });
    const wrongSelector = await create({ login: { ...LOGIN, check: { present: '.account >' } } });
    expect(wrongSelector.json.error).toMatchObject({
      code: 'INVALID_SELECTOR',
      details: [{ path: 'login.check.present' }],
    });
    const wrongPattern = await create({ login: { ...LOGIN, check: { url: 'account/**' } } });
    expect(wrongPattern.json.error.details).toEqual([
      { path: 'login.check.url', message: expect.stringContaining('write "/account/**"') },
    ]);
    const cookies = [{ name: 'a b', value: 'x', domain: 'shop.example' }];
    const wrongCookie = await create({ storageState: { cookies, origins: [] }, proxy: 'de' });
    expect(wrongCookie.json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'storageState.cookies.0.name',
      'proxy',
    ]);
    const indexedDB = [{ name: 'session', version: 0, stores: [{ name: 'keys', records: [{ valu: 1 }] }] }];
    const noDatabase = await create({
      storageState: {
        cookies: [],
        origins: [{ origin: 'https://shop.example', localStorage: [], indexedDB }],
      },
    });
    const database = 'storageState.origins.0.indexedDB.0';
    expect(noDatabase.json.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining([
        ...[`${database}.version`, `${database}.stores.0.indexes`, `${database}.stores.0.records.0.valu`],
      ]),
    );
    const localStorage = [{ name: 'large', value: 'x'.repeat(300_000) }];
    const tooLarge = await create({
      storageState: { cookies: [], origins: [{ origin: 'https://shop.example', localStorage }] },
    });
    expect(tooLarge.json.error.details[0].path).toBe('storageState');
    const unknown = await create({ login: { ...LOGIN, check: { presnt: '.account' } } });
    expect(unknown.json.error.code).toBe('INVALID_REQUEST');
  });

  it('refuses a name that another profile has', async () => {
    await create({ name: 'taken' });
    const { status, json } = await create({ name: 'taken' });
    expect([status, json.error.details[0].path]).toEqual([400, 'name']);
    const { json: other } = await create({});
    const renamed = await ask(`/${other.profile.id}`, { method: 'PATCH', body: { name: 'taken' } });
    expect([renamed.status, renamed.json.error.details[0].path]).toEqual([400, 'name']);
  });

  it('says what the operator has to do where there is no key', async () => {
    const keyless = await bed.startGateway();
    const { json } = await call(`${keyless.url}/v1/profiles`, { key: owner.key, body: { name: 'none' } });
    expect(json.error.suggestion).toContain('SECRETS_KEY');
  });
});

describe('PATCH /v1/profiles/:id', () => {
  it('replaces the state, which begins another session', async () => {
    const { json } = await create({ login: LOGIN });
    const { id } = json.profile;
    const patched = await ask(`/${id}`, { method: 'PATCH', body: { storageState: STATE } });
    expect(patched.json.profile).toMatchObject({ status: 'ready', logins: 1 });
    expect((await ask(`/${id}/state`)).json.storageState).toEqual(STATE);
    const again = await ask(`/${id}/login`, { method: 'POST' });
    expect([again.status, again.json.profile.status]).toEqual([202, 'signing-in']);
  });

  it('changes and removes settings, and keeps the session', async () => {
    const { json } = await create({ login: LOGIN, storageState: STATE, ttl: 60_000 });
    const body = { name: 'renamed', login: null, ttl: null };
    const patched = await ask(`/${json.profile.id}`, { method: 'PATCH', body });
    expect(patched.json.profile).toMatchObject({ name: 'renamed', status: 'ready', ttl: null, logins: 1 });
    expect(patched.json.profile).not.toHaveProperty('login');
  });
});

describe('profiles', () => {
  it('bring their proxy into an estimate', async () => {
    const proxied = await bed.startGateway({ SECRETS_KEY, PROXIES: 'us=http://proxy.example:3128' });
    const body = { name: 'proxied', storageState: STATE, proxy: 'us' };
    const { json } = await call(`${proxied.url}/v1/profiles`, { key: owner.key, body });
    const page = { url: 'https://shop.example/', profile: json.profile.id };
    const estimated = await call(`${proxied.url}/v1/estimate`, { key: owner.key, body: page });
    expect(estimated.json.estimate.credits.worst).toBe(6);
    const missing = { ...page, profile: 'prof_none' };
    const refused = await call(`${proxied.url}/v1/estimate`, { key: owner.key, body: missing });
    expect(refused.json.error.code).toBe('PROFILE_NOT_FOUND');
    // A key that may not scrape does not learn which profiles there are.
    const { key } = await bed.createKey({ accountId: owner.accountId, scopes: ['jobs'] });
    for (const asked of [page, missing]) {
      const { json: forbidden } = await call(`${proxied.url}/v1/estimate`, { key, body: asked });
      expect(forbidden.error.code).toBe('FORBIDDEN');
    }
  });

  it('are known to their account alone, and are gone once deleted', async () => {
    const { json } = await create({ storageState: STATE });
    const path = `/${json.profile.id}`;
    const { key } = await bed.createKey();
    for (const method of ['GET', 'DELETE'])
      expect((await ask(path, { key, method })).json.error.code).toBe('PROFILE_NOT_FOUND');
    expect((await ask(path, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(path)).json.error.code).toBe('PROFILE_NOT_FOUND');
  });
});
