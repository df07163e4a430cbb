import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a call without a valid key', () => {
  it.each([
    ['no Authorization header', {}],
    ['an empty one', { Authorization: '' }],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['the key alone', { Authorization: 'gl_something' }],
    ['two Authorization headers', { Authorization: ['Bearer one', 'Bearer two'] }],
    ['two keys', { Authorization: 'Bearer one two' }],
    ['an unknown key', { Authorization: `Bearer gl_${'x'.repeat(43)}` }],
    ['a key as long as headers get', { Authorization: `Bearer ${'x'.repeat(12_000)}` }],
    ['control characters', { Authorization: 'Bearer gl_\tx' }],
    ['a key in the wrong header', { 'X-Api-Key': 'gl_something' }],
  ])('is unauthorized: %s', async (_, headers) => {
    const { status, json } = await call(`${gateway.url}/v1/usage`, {
      headers: headers as Record<string, string | string[]>,
    });
    expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('is rejected before its body is checked', async () => {
    const { status } = await call(`${gateway.url}/v1/scrape?x=1`, {
      body: 'not json',
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(401);
  });

  it('is rejected with two Authorization headers, even when the first is valid', async () => {
    const { key } = await bed.createKey();
    const headers = { Authorization: [`Bearer ${key}`, 'Bearer gl_other'] };
    const { status, json } = await call(`${gateway.url}/v1/usage`, { headers });
    expect([status, json.error.message]).toEqual([401, 'The request has several Authorization headers.']);
  });

  it('is rejected when the key has expired', async () => {
    const { key } = await bed.createKey({ expiresAt: new Date(Date.now() - 1) });
    const { json } = await call(`${gateway.url}/v1/usage`, { key });
    expect(json.error).toMatchObject({ code: 'UNAUTHORIZED', message: expect.stringContaining('expired') });
  });
});

describe('a call with a valid key', () => {
  it.each(['bearer', 'BEARER', 'Bearer '])('accepts the scheme %j', async (scheme) => {
    const { key } = await bed.createKey();
    const { status } = await call(`${gateway.url}/v1/usage`, {
      headers: { Authorization: `${scheme} ${key}` },
    });
    expect(status).toBe(200);
  });

  it('is forbidden on routes outside its scopes, with the missing scope in the message', async () => {
    const { key } = await bed.createKey({ scopes: ['jobs', 'webhooks'] });
    for (const [path, scope, body] of [
      ['/v1/usage', 'usage', undefined],
      ['/v1/keys', 'admin', undefined],
      ['/v1/scrape', 'scrape', { url: 'https://example.com/' }],
    ] as const) {
      const { status, json } = await call(gateway.url + path, { key, body });
      expect([path, status]).toEqual([path, 403]);
      expect(json.error.message).toContain(`"${scope}"`);
    }
  });

  it('is rejected by every replica within 5 s of the revocation of its key', async () => {
    const replica = await bed.startGateway();
    const admin = await bed.createKey();
    const { key, keyId } = await bed.createKey({ accountId: admin.accountId, scopes: ['usage'] });
    const isTaken = async ({ url }: TestGateway) => (await call(`${url}/v1/usage`, { key })).status === 200;
    expect(await Promise.all([gateway, replica].map(isTaken))).toEqual([true, true]);
    await call(`${gateway.url}/v1/keys/${keyId}`, { key: admin.key, method: 'DELETE' });
    await eventually(async () =>
      expect(await Promise.all([gateway, replica].map(isTaken))).toEqual([false, false]),
    );
  });
});

describe('keys', () => {
  it('are not logged, wherever a client puts them', async () => {
    const { key } = await bed.createKey();
    const wrong = `gl_${'W'.repeat(43)}`;
    for (const secret of [key, wrong]) {
      await call(`${gateway.url}/v1/usage`, { key: secret });
      await call(`${gateway.url}/v1/usage?api_key=${secret}`, { key: secret });
      await call(`${gateway.url}/v1/keys/${secret}`, { key, method: 'DELETE' });
      await call(`${gateway.url}/${secret}`, {
        headers: { 'X-Request-Id': secret, Referer: secret, Cookie: secret },
      });
      const body = {
        url: 'https://example.com/',
        headers: { Authorization: secret },
        cookies: [{ name: 'a', value: secret }],
      };
      await call(`${gateway.url}/v1/scrape`, { key: secret, body });
    }
    await eventually(() => expect(bed.logLines.length).toBeGreaterThan(10));
    const log = bed.logLines.join('\n');
    for (const secret of [key, wrong]) expect(log).not.toContain(secret.slice(3));
  });
});
