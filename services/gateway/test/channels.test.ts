import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call } from './support/call.ts';
import { startScriptedNotifier } from './support/scripted-notifier.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({
    SECRETS_KEY: 'k'.repeat(40),
    RATE_LIMIT_CREATE: '100000',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    NOTIFY_EMAIL_DOMAINS: 'example.com,Example.org',
  });
  await startScriptedNotifier(bed.broker, bed.stores);
});
beforeEach(async () => {
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}) {
  return call(`${gateway.url}/v1/channels${path}`, { key: owner.key, ...options });
}
const create = async (body: object) => (await ask('', { body })).json;
const SLACK = { type: 'slack', name: 'Buyers', url: 'https://hooks.slack.com/services/T0/B0/verysecret' };

describe('channels', () => {
  it.each([
    [SLACK, 'https://hooks.slack.com/…'],
    [{ type: 'webhook', name: 'Own', url: 'https://example.com/' }, 'https://example.com/'],
    [
      { type: 'email', name: 'Ann', to: ['ann@example.com', 'ben@EXAMPLE.org'] },
      'ann@example.com, ben@EXAMPLE.org',
    ],
    [
      { type: 'telegram', name: 'T', token: '1:verysecret', chat: '@prices' },
      'api.telegram.org, chat @prices',
    ],
    [{ type: 'ntfy', name: 'N', topic: 'verysecret' }, 'https://ntfy.sh/ver…'],
  ])(
    '%j are shown with their address cut, and stored encrypted where it holds a secret',
    async (body, address) => {
      const { channel } = await create(body);
      expect(channel).toEqual({
        id: expect.stringMatching(/^chn_/),
        type: body.type,
        name: body.name,
        address,
        status: 'active',
        createdAt: expect.any(String),
        updatedAt: channel.createdAt,
      });
      expect((await ask(`/${channel.id}`)).json.channel).toEqual(channel);
      const stored = await bed.stores.channels.findChannel(owner.accountId, channel.id);
      expect(JSON.stringify([stored, channel])).not.toContain('verysecret');
    },
  );

  it('are listed by name, changed in part, and deleted', async () => {
    const { channel } = await create(SLACK);
    await create({ type: 'email', name: 'Ann', to: ['ann@example.com'] });
    const names = async () => (await ask('')).json.channels.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['Ann', 'Buyers']);
    const patched = await ask(`/${channel.id}`, { method: 'PATCH', body: { name: 'Sales' } });
    expect(patched.json.channel).toMatchObject({ name: 'Sales', address: channel.address });
    const moved = await ask(`/${channel.id}`, { method: 'PATCH', body: { url: 'https://other.example/x' } });
    expect(moved.json.channel).toMatchObject({ name: 'Sales', address: 'https://other.example/…' });
    expect((await ask(`/${channel.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/${channel.id}`, { method: 'DELETE' })).json.error.code).toBe('CHANNEL_NOT_FOUND');
    expect(await names()).toEqual(['Ann']);
  });

  it('are active again once their address is set', async () => {
    const { channel } = await create(SLACK);
    const stored = await bed.stores.channels.findChannel(owner.accountId, channel.id);
    if (stored) await bed.stores.channels.setState(stored, 'gone');
    expect((await ask(`/${channel.id}`)).json.channel.status).toBe('gone');
    const patched = await ask(`/${channel.id}`, { method: 'PATCH', body: { url: SLACK.url } });
    expect(patched.json.channel.status).toBe('active');
  });

  it('are tested by the notifier', async () => {
    const { channel } = await create(SLACK);
    const { json } = await ask(`/${channel.id}/test`, { method: 'POST' });
    expect(json.delivery).toMatchObject({ channelId: channel.id, status: 'failed' });
    const path = `/v1/webhooks/deliveries?channelId=${channel.id}`;
    const listed = await call(gateway.url + path, { key: owner.key });
    expect(listed.json.deliveries.map(({ id }: { id: string }) => id)).toEqual([json.delivery.id]);
  });

  it('of another account are not found', async () => {
    const { channel } = await create(SLACK);
    const stranger = await bed.createKey();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};
      const { json } = await ask(`/${channel.id}${path}`, { method, key: stranger.key, ...body });
      expect(json.error.code).toBe('CHANNEL_NOT_FOUND');
    }
    expect((await ask(`/${channel.id}`)).json.channel.name).toBe('Buyers');
  });
});

describe('bad channels', () => {
  it.each([
    [{ type: 'slak', name: 'A' }, 'type', 'did you mean "slack"?'],
    [{ type: 'slack' }, 'name', 'is required'],
    [{ type: 'slack', name: 'A' }, 'url', 'is required of a channel of the type "slack"'],
    [{ type: 'slack', name: 'A', url: 'https://a.example/', chat: '1' }, 'chat', 'Its fields: url'],
    [{ type: 'telegram', name: 'A', token: 'a', chat: 'a b' }, 'chat', 'must be the id of a chat'],
    [{ type: 'email', name: 'A', to: [] }, 'to', 'must have at least 1 entry'],
    [{ type: 'email', name: 'A', to: ['ann'] }, 'to.0', 'must be an email address'],
    [{ type: 'email', name: 'A', to: ['a@b.c, d@e.f'] }, 'to.0', 'must be an email address'],
    [{ type: 'email', name: 'A', to: ['ann@elsewhere.com'] }, 'to.0', 'Allowed: example.com, Example.org'],
    [{ type: 'apprise', name: 'A', key: 'family' }, 'type', 'APPRISE_URL'],
    [{ ...SLACK, urll: '' }, 'urll', 'did you mean "url"?'],
  ])('%j are rejected at %s', async (body, path, message) => {
    const { error } = await create(body);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(error.details).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it.each(['http://10.0.0.1/', 'ftp://example.com/', 'nowhere'])('on %s are rejected', async (url) => {
    const { error } = await create({ ...SLACK, url });
    expect(error).toMatchObject({ code: 'INVALID_URL', details: [{ path: 'url' }] });
  });

  it('cannot be stored without a key, and of emails can', async () => {
    const plain = await bed.startGateway({ SMTP_URL: 'smtp://127.0.0.1:2525' });
    const at = (body: object) => call(`${plain.url}/v1/channels`, { key: owner.key, body });
    expect((await at(SLACK)).json.error.suggestion).toContain('SECRETS_KEY');
    expect((await at({ type: 'email', name: 'A', to: ['a@b.example'] })).status).toBe(201);
  });

  it('of emails need a mail server', async () => {
    const plain = await bed.startGateway();
    const body = { type: 'email', name: 'A', to: ['a@b.example'] };
    const { json } = await call(`${plain.url}/v1/channels`, { key: owner.key, body });
    expect(json.error.details).toEqual([{ path: 'type', message: expect.stringContaining('SMTP_URL') }]);
  });

  it('are at most a hundred', async () => {
    for (let count = 0; count < 100; count++) await create({ ...SLACK, name: `Channel ${count}` });
    const { error } = await create(SLACK);
    expect(error.message).toContain('100 channels');
  });
});
