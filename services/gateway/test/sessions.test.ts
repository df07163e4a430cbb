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

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Opens a session and returns the Cookie header of its requests. */
async function signIn(body: object, { url } = gateway): Promise<string> {
  const { status, headers } = await call(`${url}/v1/session`, { body, headers: SAME_ORIGIN });
  expect(status).toBe(201);
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

function ask(path: string, cookie: string, more: Record<string, string> = SAME_ORIGIN, method = 'GET') {
  return call(gateway.url + path, { method, headers: { cookie, ...more } });
}

describe('POST /v1/session', () => {
  it('sets a cookie that scripts and other sites cannot use, and keeps only its hash', async () => {
    const { headers, json } = await call(`${gateway.url}/v1/session`, { body: { apiKey: key.key } });
    expect(String(headers['set-cookie'])).toMatch(/^gleaner=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(json.session).toMatchObject({ keyId: key.keyId, scopes: ['usage', 'admin'] });
    const secret = /gleaner=([\w-]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
    const stored = await bed.database.models.sessions.find().lean();
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(bed.logLines.join('\n')).not.toContain(secret);
  });

  it('sets a secure cookie for one host where callers use https', async () => {
    const secure = await bed.startGateway({ CONSOLE_DIR: folder, PUBLIC_URL: 'https://gleaner.example.com' });
    const { headers } = await call(`${secure.url}/v1/session`, { body: { apiKey: key.key } });
    expect(String(headers['set-cookie'])).toMatch(/^__Host-gleaner=.*; Secure$/);
  });

  it.each([
    ['an unknown key', { apiKey: 'gl_unknown' }, 'UNAUTHORIZED'],
    ['an unknown code', { code: 'unknown' }, 'UNAUTHORIZED'],
    ['neither', {}, 'INVALID_REQUEST'],
    ['both', { apiKey: 'a', code: 'b' }, 'INVALID_REQUEST'],
    ['something else', { apiKey: { $ne: null } }, 'INVALID_REQUEST'],
  ])('refuses %s', async (_case, body, code) => {
    const { json, headers } = await call(`${gateway.url}/v1/session`, { body });
    expect(json.error.code).toBe(code);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('refuses to sign in for a page of another origin', async () => {
    const headers = { origin: 'http://127.0.0.1:1' };
    const { json } = await call(`${gateway.url}/v1/session`, { body: { apiKey: key.key }, headers });
    expect(json.error.code).toBe('UNAUTHORIZED');
  });
});

describe('a session', () => {
  it('has the scopes of its key, on every replica', async () => {
    const cookie = await signIn({ apiKey: key.key }, other);
    expect((await ask('/v1/usage', cookie)).status).toBe(200);
    expect((await ask('/v1/jobs', cookie)).json.error.code).toBe('FORBIDDEN');
    expect((await ask('/v1/session', cookie)).json.session).toMatchObject({ keyId: key.keyId });
  });

  it.each([
    ['another port of the host', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is not there for %s', async (_case, headers) => {
    const cookie = await signIn({ apiKey: key.key });
    expect((await ask('/v1/usage', cookie, headers)).json.error.code).toBe('UNAUTHORIZED');
    expect((await ask('/v1/session', cookie, headers)).json.error.code).toBe('UNAUTHORIZED');
    expect((await ask('/v1/session', cookie, headers, 'DELETE')).json.error.code).toBe('UNAUTHORIZED');
  });

  it('changes nothing for requests that do not say where they come from', async () => {
    const cookie = await signIn({ apiKey: key.key });
    const body = { name: 'Stolen' };
    const url = `${gateway.url}/v1/keys`;
    expect((await call(url, { body, headers: { cookie } })).json.error.code).toBe('UNAUTHORIZED');
    const origin = gateway.url;
    expect((await call(url, { body, headers: { cookie, origin } })).status).toBe(201);
  });

  it('gives way to an Authorization header', async () => {
    const cookie = await signIn({ apiKey: key.key });
    const answer = await call(`${gateway.url}/v1/usage`, { key: 'gl_unknown', headers: { cookie } });
    expect(answer.json.error.code).toBe('UNAUTHORIZED');
  });

  it('ends when it is closed', async () => {
    const cookie = await signIn({ apiKey: key.key });
    const closed = await ask('/v1/session', cookie, SAME_ORIGIN, 'DELETE');
    expect(closed.status).toBe(204);
    expect(String(closed.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await ask('/v1/usage', cookie)).json.error.code).toBe('UNAUTHORIZED');
    expect((await ask('/v1/session', cookie)).json.session).toBeNull();
  });

  it('ends with its key', async () => {
    const { key: short, keyId } = await bed.createKey({ accountId: key.accountId });
    const cookie = await signIn({ apiKey: short });
    await call(`${gateway.url}/v1/keys/${keyId}`, { method: 'DELETE', key: key.key });
    await eventually(async () => {
      expect((await ask('/v1/usage', cookie)).json.error.code).toBe('UNAUTHORIZED');
      expect((await ask('/v1/session', cookie)).json.session).toBeNull();
    });
  });

  it('ends after its time', async () => {
    const cookie = await signIn({ apiKey: key.key });
    await bed.database.models.sessions.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect((await ask('/v1/usage', cookie)).json.error.code).toBe('UNAUTHORIZED');
  });
});

describe('POST /v1/session/codes', () => {
  it('makes a code that opens one session', async () => {
    const { status, json } = await call(`${gateway.url}/v1/session/codes`, { method: 'POST', key: key.key });
    expect(status).toBe(201);
    const cookie = await signIn({ code: json.code }, other);
    expect((await ask('/v1/usage', cookie)).status).toBe(200);
    const again = await call(`${gateway.url}/v1/session`, { body: { code: json.code } });
    expect(again.json.error).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('used before'),
    });
  });

  it('needs a key: a session makes none', async () => {
    const cookie = await signIn({ apiKey: key.key });
    const answer = await ask('/v1/session/codes', cookie, SAME_ORIGIN, 'POST');
    expect(answer.json.error.code).toBe('UNAUTHORIZED');
  });
});

describe('a gateway without a console', () => {
  it('has no sessions and takes no cookie', async () => {
    const plain = await bed.startGateway();
    const cookie = await signIn({ apiKey: key.key });
    const opened = await call(`${plain.url}/v1/session`, { body: { apiKey: key.key } });
    expect(opened.json.error.code).toBe('ROUTE_NOT_FOUND');
    const answer = await call(`${plain.url}/v1/usage`, { headers: { cookie, ...SAME_ORIGIN } });
    expect(answer.json.error.code).toBe('UNAUTHORIZED');
  });
});
