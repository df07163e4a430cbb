import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let other: TestGateway;
let key: TestKey;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-no-console-'));
  bed = await startTestBed();
  gateway = await bed.startGateway({ CONSOLE_DIR: folder });
  other = await bed.startGateway({ CONSOLE_DIR: folder });
  key = await bed.createKey({ scopes: ['usage', 'admin'] });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a session and returns its token. */
async function signIn(body: object, { url } = gateway): Promise<string> {
  const { status, json } = await call(`${url}/v1/session`, { body });
  expect(status).toBe(201);
  return json.token;
}

function ask(path: string, token: string, options: { method?: string; body?: unknown } = {}) {
  return call(gateway.url + path, { key: token, ...options });
}

describe('POST /v1/session', () => {
  it('returns a token, keeps only its hash, and sets no cookie', async () => {
    const { headers, json } = await call(`${gateway.url}/v1/session`, { body: { apiKey: key.key } });
    expect(headers).not.toHaveProperty('set-cookie');
    const { accountId, keyId } = key;
    expect(json.session).toMatchObject({ accountId, keyId, scopes: ['usage', 'admin'] });
    const [, secret = ''] = /^gls_([\w-]{43})$/.exec(json.token) ?? [];
    expect(secret).not.toBe('');
    const stored = await bed.database.models.sessions.find().lean();
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(bed.logLines.join('\n')).not.toContain(secret);
  });

  it.each([
    ['an unknown key', { apiKey: 'gl_unknown' }, 'UNAUTHORIZED'],
    ['an unknown code', { code: 'unknown' }, 'UNAUTHORIZED'],
    ['neither', {}, 'INVALID_REQUEST'],
    ['both', { apiKey: 'a', code: 'b' }, 'INVALID_REQUEST'],
    ['something else', { apiKey: { $ne: null } }, 'INVALID_REQUEST'],
  ])('refuses %s', async (_case, body, code) => {
    const { json } = await call(`${gateway.url}/v1/session`, { body });
    expect(json.error.code).toBe(code);
    expect(json).not.toHaveProperty('token');
  });

  it('counts sign-ins and links against the limit of their key', async () => {
    const limited = await bed.startGateway({ CONSOLE_DIR: folder, RATE_LIMIT_CREATE: '2' });
    const { key: secret } = await bed.createKey();
    const open = () => call(`${limited.url}/v1/session`, { body: { apiKey: secret } });
    const link = () => call(`${limited.url}/v1/session/codes`, { method: 'POST', key: secret });
    expect([(await open()).status, (await link()).status]).toEqual([201, 201]);
    for (const { status, json } of [await open(), await link()]) {
      expect([status, json.error.code]).toEqual([429, 'RATE_LIMITED']);
    }
  });
});

describe('a session', () => {
  it('has the scopes of its key, on every replica', async () => {
    const token = await signIn({ apiKey: key.key }, other);
    expect((await ask('/v1/usage', token)).status).toBe(200);
    expect((await ask('/v1/jobs', token)).json.error.code).toBe('FORBIDDEN');
    expect((await ask('/v1/session', token)).json.session).toMatchObject({ keyId: key.keyId });
  });

  it('does not count as a cookie, which browsers send to every port of the host', async () => {
    const token = await signIn({ apiKey: key.key });
    const body = { name: 'Stolen' };
    for (const cookie of [token, token.slice('gls_'.length)].map((value) => `gleaner=${value}`)) {
      const headers = { cookie, origin: gateway.url, 'sec-fetch-site': 'same-origin' };
      const answer = await call(`${gateway.url}/v1/keys`, { body, headers });
      expect(answer.json.error.code).toBe('UNAUTHORIZED');
    }
  });

  it('is not needed to ask whether there is one', async () => {
    expect((await call(`${gateway.url}/v1/session`)).json.session).toBeNull();
    expect((await ask('/v1/session', key.key)).json.session).toBeNull();
    expect((await ask('/v1/session', `gls_${'x'.repeat(43)}`)).json.session).toBeNull();
  });

  it('ends when it is closed', async () => {
    const token = await signIn({ apiKey: key.key });
    expect((await ask('/v1/session', token, { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/v1/usage', token)).json.error.message).toBe('The session has ended.');
    expect((await ask('/v1/session', token)).json.session).toBeNull();
  });

  it('ends with its key', async () => {
    const { key: short, keyId } = await bed.createKey({ accountId: key.accountId });
    const token = await signIn({ apiKey: short });
    await call(`${gateway.url}/v1/keys/${keyId}`, { method: 'DELETE', key: key.key });
    await eventually(async () => {
      expect((await ask('/v1/usage', token)).json.error.code).toBe('UNAUTHORIZED');
      expect((await ask('/v1/session', token)).json.session).toBeNull();
    });
  });

  it('ends after its time', async () => {
    const token = await signIn({ apiKey: key.key });
    await bed.database.models.sessions.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect((await ask('/v1/usage', token)).json.error.code).toBe('UNAUTHORIZED');
  });
});

describe('POST /v1/session/codes', () => {
  it('makes a code that opens one session', async () => {
    const { status, json } = await call(`${gateway.url}/v1/session/codes`, { method: 'POST', key: key.key });
    expect(status).toBe(201);
    const token = await signIn({ code: json.code }, other);
    expect((await ask('/v1/usage', token)).status).toBe(200);
    const again = await call(`${gateway.url}/v1/session`, { body: { code: json.code } });
    expect(again.json.error).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('used before'),
    });
  });

  it('needs a key: a session makes none', async () => {
    const token = await signIn({ apiKey: key.key });
    const answer = await ask('/v1/session/codes', token, { method: 'POST' });
    expect(answer.json.error.code).toBe('UNAUTHORIZED');
  });
});

describe('POST /v1/session/tickets', () => {
  const target = '/v1/jobs/job_none/results?format=csv';

  async function ticketFor(path = target) {
    const owner = await bed.createKey({ scopes: ['jobs'] });
    const token = await signIn({ apiKey: owner.key });
    const { status, json } = await ask('/v1/session/tickets', token, { body: { target: path } });
    expect(status).toBe(201);
    return json.ticket as string;
  }
  const open = (path: string, ticket: string, method = 'GET') =>
    call(`${gateway.url}${path}${path.includes('?') ? '&' : '?'}ticket=${ticket}`, { method });

  it('makes a ticket that opens one address once', async () => {
    const ticket = await ticketFor();
    expect((await open(target, ticket)).json.error.code).toBe('JOB_NOT_FOUND');
    expect((await open(target, ticket)).json.error.message).toContain('was used before');
    expect(bed.logLines.join('\n')).not.toContain(ticket);
  });

  it('makes a ticket for nothing else', async () => {
    const ticket = await ticketFor();
    for (const path of ['/v1/jobs', '/v1/jobs/job_other/results?format=csv', '/v1/jobs/job_none/results'])
      expect((await open(path, ticket)).json.error.code).toBe('UNAUTHORIZED');
    expect((await open(target, ticket)).json.error.code).toBe('JOB_NOT_FOUND');
  });

  it('makes a ticket that ends after its time', async () => {
    const ticket = await ticketFor();
    const past = new Date(Date.now() - 1);
    await bed.database.models.sessions.updateMany({ kind: 'ticket' }, { $set: { expiresAt: past } });
    expect((await open(target, ticket)).json.error.code).toBe('UNAUTHORIZED');
  });

  it('needs a session, and an address that a browser opens by itself', async () => {
    const url = `${gateway.url}/v1/session/tickets`;
    expect((await call(url, { body: { target } })).json.error.code).toBe('UNAUTHORIZED');
    expect((await call(url, { body: { target }, key: key.key })).json.error.code).toBe('UNAUTHORIZED');
    const token = await signIn({ apiKey: key.key });
    for (const other of ['/v1/keys', 'https://example.com/v1/jobs/a/results', '/v1/jobs/../results', '']) {
      const answer = await ask('/v1/session/tickets', token, { body: { target: other } });
      expect(answer.json.error.code).toBe('INVALID_REQUEST');
    }
  });
});

describe('a gateway without a console', () => {
  it('has no sessions and takes no token', async () => {
    const plain = await bed.startGateway();
    const token = await signIn({ apiKey: key.key });
    const opened = await call(`${plain.url}/v1/session`, { body: { apiKey: key.key } });
    expect(opened.json.error.code).toBe('ROUTE_NOT_FOUND');
    const answer = await call(`${plain.url}/v1/usage`, { key: token });
    expect(answer.json.error.code).toBe('UNAUTHORIZED');
  });
});
