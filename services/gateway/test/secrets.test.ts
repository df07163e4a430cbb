import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call } from './support/call.ts';
import { found, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ SECRETS_KEY: 'k'.repeat(40), RATE_LIMIT_CREATE: '100000' });
  worker = await startScriptedWorker(bed.broker);
});
beforeEach(async () => {
  owner = await bed.createKey({ scopes: ['admin', 'scrape', 'jobs', 'schedules'] });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}) {
  return call(gateway.url + path, { key: owner.key, ...options });
}
const put = (name: string, body: object) => ask(`/v1/secrets/${name}`, { method: 'PUT', body });
const FILL = { fill: '#p', value: { secret: 'shop-password' } };
const PAGE = { url: 'https://example.com/', actions: [FILL] };

describe('secrets', () => {
  it('are stored encrypted, listed by name, replaced and deleted', async () => {
    const origins = ['https://Shop.example', 'http://127.0.0.1:8080'];
    const { status, json } = await put('shop-password', { value: 'correct horse', origins });
    expect([status, json.secret]).toEqual([
      200,
      {
        name: 'shop-password',
        origins: ['https://shop.example', 'http://127.0.0.1:8080'],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    await put('shop-password', { value: 'another one' });
    const list = await ask('/v1/secrets');
    expect(list.json.secrets).toEqual([
      { name: 'shop-password', createdAt: json.secret.createdAt, updatedAt: expect.any(String) },
    ]);
    const [stored] = await bed.stores.secrets.findSecrets(owner.accountId);
    expect(JSON.stringify([stored, list.json, json])).not.toMatch(/horse|another one/);
    expect((await ask('/v1/secrets/shop-password', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/v1/secrets/shop-password', { method: 'DELETE' })).json.error.code).toBe(
      'SECRET_NOT_FOUND',
    );
    expect((await ask('/v1/secrets')).json.secrets).toEqual([]);
  });

  it.each([
    ['shop', {}, 'value', 'is required'],
    ['shop', { value: 'abc' }, 'value', 'must have at least 4 characters'],
    [
      'shop',
      { value: 'abcd', origins: ['shop.example'] },
      'origins.0',
      'must be an origin such as "https://shop.example"',
    ],
    ['shop', { value: 'abcd', origins: ['https://shop.example/login'] }, 'origins.0', 'must be an origin'],
    ['-shop', { value: 'abcd' }, 'name', 'must be a name of 1 to 64 letters'],
  ])('named %s reject %j', async (name, body, path, message) => {
    const { json } = await put(name, body);
    expect(json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it('need an admin key', async () => {
    const other = await bed.createKey({ scopes: ['scrape'] });
    const { json } = await call(`${gateway.url}/v1/secrets`, { key: other.key });
    expect(json.error.code).toBe('FORBIDDEN');
  });

  it('must be there for a scrape, a job, a rule and a schedule that name them', async () => {
    await put('shop-pasword', { value: 'correct horse' });
    const message = expect.stringContaining('is not a secret of this account; did you mean "shop-pasword"?');
    const wrong = async (path: string, body: object, at: string) => {
      const { json } = await ask(path, { body });
      expect(json.error.details).toEqual([{ path: `${at}.value.secret`, message }]);
    };
    await wrong('/v1/scrape', PAGE, 'actions.0');
    await wrong('/v1/jobs', { urls: [PAGE.url], actions: [{ repeat: [FILL] }] }, 'actions.0.repeat.0');
    await wrong(
      '/v1/jobs',
      { urls: [PAGE.url], crawl: { rules: [{ match: '/', actions: [FILL] }] } },
      'crawl.rules.0.actions.0',
    );
    await wrong('/v1/schedules', { ...PAGE, cron: '* * * * *' }, 'actions.0');
  });

  it('of another account are not found, and none is stored without a key', async () => {
    await put('shop-password', { value: 'correct horse' });
    const other = await bed.createKey({ scopes: ['admin', 'scrape'] });
    const { json } = await call(`${gateway.url}/v1/scrape`, { key: other.key, body: PAGE });
    expect(json.error.details).toMatchObject([{ path: 'actions.0.value.secret' }]);
    const plain = await bed.startGateway({});
    const refused = await call(`${plain.url}/v1/secrets/a`, {
      key: owner.key,
      method: 'PUT',
      body: { value: 'abcd' },
    });
    expect(refused.json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      suggestion: expect.stringContaining('SECRETS_KEY'),
    });
  });

  it('are sent to workers encrypted', async () => {
    await put('shop-password', { value: 'correct horse', origins: ['https://shop.example'] });
    worker.follow(() => found({}));
    await ask('/v1/scrape', { body: { ...PAGE, render: true } });
    const sent = JSON.stringify(worker.commands);
    expect(sent).not.toContain('horse');
  });
});
