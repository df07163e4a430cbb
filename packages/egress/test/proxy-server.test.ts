import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { eventually, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createProxyStarter, type ProxyServer } from '../src/index.ts';

let origin: Origin;
let closedOrigin: Origin;
let proxy: ProxyServer;

beforeAll(async () => {
  [origin, closedOrigin] = await Promise.all([startOrigin(), startOrigin()]);
});
afterAll(async () => {
  await Promise.all([origin.close(), closedOrigin.close()]);
});
beforeEach(async () => {
  const policy = createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`] });
  proxy = await createProxyStarter({ policy })({ maxBytes: 100_000 });
});
afterEach(async () => {
  await proxy.close();
});

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Requests a URL in absolute form through the proxy. */
function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { port }: ProxyServer = proxy,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = openRequest({ host: '127.0.0.1', port, path: url, headers, agent: false });
    request.on('error', reject).on('response', (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.end();
  });
}

/** Writes bytes to the proxy and returns everything it sends until it closes. */
function exchange(text: string, next = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(proxy.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject).on('close', () => resolve(received));
    socket.on('data', (chunk) => {
      if (received === '' && next !== '') socket.write(next);
      received += chunk;
    });
  });
}

describe('the proxy', () => {
  it('cuts and rejects everything while it is paused, and starts over when it resumes', async () => {
    const stalled = get(`${origin.url}/stall/before-headers`);
    const cut = expect(stalled).rejects.toThrow(/hang up|ECONNRESET/);
    await eventually(() => expect(origin.requestsTo('/stall/before-headers')).toHaveLength(1));
    expect(await get(`${origin.url}/`)).toMatchObject({ status: 200 });
    await expect(get(closedOrigin.url)).rejects.toThrow();
    expect(proxy.receivedBytes).toBeGreaterThan(0);
    proxy.pause();
    await cut;
    await expect(get(`${origin.url}/`)).rejects.toThrow(/hang up|ECONNRESET/);
    proxy.resume();
    expect(proxy.receivedBytes).toBe(0);
    expect(proxy.failureOf(closedOrigin.url)).toBeUndefined();
    expect(await get(`${origin.url}/`)).toMatchObject({ status: 200 });
  });

  it('forwards a complete response that unreadable bytes follow', async () => {
    expect(await get(`${origin.url}/length/too-short`)).toMatchObject({ status: 200, body: '<title>' });
  });

  it('resets the connection when a response that ends with its connection was reset', async () => {
    await expect(get(`${origin.url}/reset/undelimited/1.1?after=50`)).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });

  it('forwards plain requests and responses without hop-by-hop headers', async () => {
    const { status, body, headers } = await get(`${origin.url}/echo?a=1`, {
      'X-Own': 'yes',
      'Proxy-Connection': 'keep-alive',
      Connection: 'X-Hop',
      'X-Hop': 'secret',
    });
    const echoed = JSON.parse(body);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(echoed).toMatchObject({ url: '/echo?a=1', headers: { 'x-own': 'yes' } });
    expect(echoed.headers).not.toHaveProperty('proxy-connection');
    expect(echoed.headers).not.toHaveProperty('x-hop');
    expect(proxy.receivedBytes).toBe(body.length);
  });

  it.each([
    ['a code below 100', 'HTTP/1.1 099 Odd', undefined],
    ['the code 000', 'HTTP/1.1 000 Odd', undefined],
    [
      'a protocol that was not asked for',
      'HTTP/1.1 101 Switching\r\nUpgrade: odd\r\nConnection: upgrade',
      undefined,
    ],
    ['control characters', 'HTTP/1.1 200 O\x01K\x7f', 200],
  ])('survives a status line with %s', async (_case, head, status) => {
    const target = createServer((socket) => {
      socket.on('error', () => {}).end(`${head}\r\nContent-Length: 0\r\n\r\n`);
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port } = target.address() as AddressInfo;
    const policy = createEgressPolicy({ allow: [`127.0.0.1:${port}`] });
    const other = await createProxyStarter({ policy })({ maxBytes: 100_000 });
    try {
      const answer = await get(`http://127.0.0.1:${port}/`, {}, other).catch(() => undefined);
      expect(answer?.status).toBe(status);
    } finally {
      await other.close();
      target.close();
    }
  });

  it('opens tunnels to what the policy allows', async () => {
    const received = await exchange(
      `CONNECT 127.0.0.1:${origin.port} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'GET /product/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  it.each(['127.0.0.1', 'localhost', '0.0.0.0', '2130706433', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])(
    'rejects %s by tunnel and by request, and records the reason',
    async (host) => {
      const authority = `${host}:${closedOrigin.port}`;
      expect(await exchange(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 502 /);
      expect(proxy.failureOf(`https://${authority}/`)).toMatchObject({ code: 'INVALID_URL' });
      await expect(get(`http://${authority}/`)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(closedOrigin.connectionCount).toBe(0);
    },
  );

  it('explains why a host could not be reached as a fetch does', async () => {
    await expect(get('http://nowhere.invalid/')).rejects.toThrow();
    expect(proxy.failureOf('http://nowhere.invalid/page')).toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(proxy.failureOf(origin.url)).toBeUndefined();
  });

  it.each([
    'CONNECT nonsense:port:1 HTTP/1.1',
    'CONNECT / HTTP/1.1',
    'GET /relative HTTP/1.1',
    'GET ftp://x/ HTTP/1.1',
  ])('rejects %j', async (line) => {
    expect(await exchange(`${line}\r\nHost: x\r\n\r\n`)).toMatch(/^(?:$|HTTP\/1\.1 [45])/);
  });

  it('closes all connections when its limit is exceeded', async () => {
    await expect(get(`${origin.url}/endless`)).rejects.toThrow();
    expect(proxy.exhausted.aborted).toBe(true);
    expect(proxy.exhausted.reason).toMatchObject({ code: 'UNSUPPORTED_CONTENT' });
    await expect(get(`${origin.url}/`)).rejects.toThrow();
  });

  it('ends running requests when it closes', async () => {
    const stalled = get(`${origin.url}/stall/mid-body`);
    await Promise.all([expect(stalled).rejects.toThrow(), proxy.close()]);
  });
});
