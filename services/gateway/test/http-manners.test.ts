import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let openGateway: TestGateway;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
  openGateway = await bed.startGateway({
    CORS_ORIGINS: 'https://app.example.com, https://other.example.com',
  });
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('X-Request-Id', () => {
  it('is created and unique when the client sends none', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await call(gateway.url)).headers['x-request-id']));
    expect(ids).toEqual([
      expect.stringMatching(/^req_[0-9a-z]{26}$/),
      expect.stringMatching(/^req_[0-9a-z]{26}$/),
    ]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("is the client's own if valid, also in errors and in the log", async () => {
    const { headers, json } = await call(`${gateway.url}/v1/usage`, {
      headers: { 'X-Request-Id': 'trace-7:a.b' },
    });
    expect(headers['x-request-id']).toBe('trace-7:a.b');
    expect(json.error.requestId).toBe('trace-7:a.b');
    await eventually(() => expect(bed.logLines.join('')).toContain('"requestId":"trace-7:a.b"'));
  });

  const TOKENS = [
    'gl_abc',
    'gls_0123456789abcdefghij',
    'x-gls_0123456789abcdefghij',
    'whsec_abc',
    'eyJhbGciOi.a.b',
  ];
  it.each(['', 'with space', 'a"b', 'ü', 'x'.repeat(129), '{}', '<script>', ...TOKENS])(
    'is replaced when it is %j',
    async (theirs) => {
      const { headers } = await call(gateway.url, {
        headers: { 'X-Request-Id': Buffer.from(theirs).toString('latin1') },
      });
      expect(headers['x-request-id']).toMatch(/^req_/);
    },
  );
});

describe('an unknown path or method', () => {
  it.each([
    ['/v1/scrap', 'POST /v1/scrape'],
    ['/scrape', 'POST /v1/scrape'],
    ['/v1/key', 'POST or GET /v1/keys'],
    ['/doc', 'GET /docs'],
    ['/V1/usage', 'GET /v1/usage'],
  ])('answers %s with the route that was probably meant', async (path, meant) => {
    const { json } = await call(gateway.url + path);
    expect(json.error.code).toBe('ROUTE_NOT_FOUND');
    expect(json.error.suggestion).toContain(`Did you mean ${meant}?`);
  });

  it.each([
    '/v1/jobs/some/thing/else',
    '/wp-admin/setup.php',
    '/..%2f..%2fetc/passwd',
    '/docs/../../package.json',
    '/docs/index.js',
    '/%00',
    `/${'x'.repeat(9000)}`,
  ])('does not find %s', async (path) => {
    const { json } = await call(gateway.url + path);
    expect(json.error.code).toBe('ROUTE_NOT_FOUND');
  });

  it('rejects a path with invalid percent-encoding', async () => {
    const { json } = await call(`${gateway.url}/v1/keys/%zz`, { key: owner.key, method: 'PUT' });
    expect(json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('percent-encoding'),
    });
  });

  it.each([
    ['PUT', '/v1/scrape', 'POST, OPTIONS'],
    ['GET', '/v1/scrape', 'POST, OPTIONS'],
    ['PATCH', '/v1/keys', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/v1/keys/key_1', 'DELETE, OPTIONS'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/usage', 'GET, HEAD, OPTIONS'],
  ])('rejects %s %s and lists the allowed methods', async (method, path, allow) => {
    const { json, headers } = await call(gateway.url + path, { method, key: owner.key });
    expect([json.error.code, headers.allow]).toEqual(['METHOD_NOT_ALLOWED', allow]);
  });

  it('answers OPTIONS with the methods, and 404 for unknown paths', async () => {
    const { status, headers, text } = await call(`${gateway.url}/v1/keys/any`, { method: 'OPTIONS' });
    expect([status, headers.allow, text]).toEqual([204, 'DELETE, OPTIONS', '']);
    expect((await call(`${gateway.url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('answers HEAD like GET, without a body', async () => {
    const get = await call(`${gateway.url}/v1/usage`, { key: owner.key });
    const head = await call(`${gateway.url}/v1/usage`, { key: owner.key, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await call(`${gateway.url}/v1/usage`, { method: 'HEAD' })).status).toBe(401);
  });
});

describe('the access log', () => {
  interface Line {
    readonly requestId?: string;
    readonly path?: string;
    readonly route?: string;
    readonly clientAddress?: string;
    readonly targetHost?: string;
  }

  async function lineOf(requestId: string): Promise<Line> {
    return await eventually(() => {
      const lines = bed.logLines.map((line) => JSON.parse(line) as Line & { msg: string });
      const line = lines.find((each) => each.requestId === requestId && each.msg === 'call');
      if (!line) throw new Error('The call is not in the log yet.');
      return line;
    });
  }

  it('shows the path of an unknown route, without its query, and the address of the client', async () => {
    await call(`${gateway.url}/wp-login.php?secret=1`, { headers: { 'X-Request-Id': 'log-1' } });
    const line = await lineOf('log-1');
    expect(line).toMatchObject({ path: '/wp-login.php', clientAddress: '127.0.0.1' });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('shows the host of the target, without its path', async () => {
    const body = { url: 'https://example.com:8443/private?token=1' };
    await call(`${gateway.url}/v1/scrape`, { key: owner.key, body, headers: { 'X-Request-Id': 'log-2' } });
    const line = await lineOf('log-2');
    expect(line).toMatchObject({ route: 'scrape', targetHost: 'example.com:8443' });
    expect(line).not.toHaveProperty('path');
    expect(JSON.stringify(line)).not.toContain('private');
  });
});

describe('headers of responses', () => {
  it('stop browsers from sniffing and caches from storing', async () => {
    const { headers } = await call(`${gateway.url}/v1/usage`, { key: owner.key });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'referrer-policy': 'no-referrer',
    });
    for (const name of ['x-powered-by', 'server', 'etag', 'set-cookie'])
      expect(headers).not.toHaveProperty(name);
  });

  it('allow no other origins by default', async () => {
    const { headers } = await call(gateway.url, { headers: { Origin: 'https://app.example.com' } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('allow the configured origins, errors included', async () => {
    const from = (Origin: string) => call(`${openGateway.url}/v1/usage`, { headers: { Origin } });
    const { headers, status } = await from('https://other.example.com');
    expect(status).toBe(401);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://other.example.com',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
      vary: 'Origin',
    });
    const stranger = await from('https://app.example.com.evil.example');
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
    expect(stranger.headers.vary).toBe('Origin');
  });

  it('answer the preflight of a configured origin', async () => {
    const { status, headers } = await call(`${openGateway.url}/v1/scrape`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']).toContain('POST');
    expect(headers['access-control-allow-headers']).toContain('Authorization');
  });
});
