import { inspect } from 'node:util';
import { type Certificate, createCertificate, eventually, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient, type FetchRequest, type HttpClient } from '../src/index.ts';

const never = new AbortController().signal;

let certificate: Certificate;
let plain: Origin;
let tls: Origin;
let h2: Origin;
let client: HttpClient;

beforeAll(async () => {
  certificate = createCertificate();
  [plain, tls, h2] = await Promise.all([
    startOrigin(),
    startOrigin({ certificate }),
    startOrigin({ certificate, http2: true }),
  ]);
  client = clientFor(plain, tls, h2);
});

afterAll(async () => {
  client.close();
  await Promise.all([plain.close(), tls.close(), h2.close()]);
});

function clientFor(...origins: Origin[]): HttpClient {
  const policy = createEgressPolicy({ allow: origins.map(({ host, port }) => `${host}:${port}`) });
  return createHttpClient({ policy, certificateAuthorities: [certificate.cert] });
}

function get(origin: Origin, path: string, request: Partial<FetchRequest> = {}) {
  return client.fetchPage({ url: origin.url + path, deadlineMs: Date.now() + 10_000, ...request }, never);
}

/** What the origin's /echo saw of a request. */
async function echoed(origin: Origin, path = '/echo', request: Partial<FetchRequest> = {}) {
  const page = await get(origin, path, request);
  return JSON.parse(page.body.toString()) as {
    method: string;
    headers: Record<string, string>;
    httpVersion: string;
    body: string;
  };
}

const OVER = [
  ['http/1.1', () => plain],
  ['http/1.1 over TLS', () => tls],
  ['HTTP/2', () => h2],
] as const;

describe.each(OVER)('fetchPage over %s', (_protocol, over) => {
  it('gives the page, where it came from and how long it took', async () => {
    const page = await get(over(), '/product/7');
    expect(page).toMatchObject({
      url: `${over().url}/product/7`,
      finalUrl: `${over().url}/product/7`,
      redirects: [],
      statusCode: 200,
      remoteAddress: '127.0.0.1',
      timings: { totalMs: expect.any(Number) },
    });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body.toString()).toContain('<h1>Product 7</h1>');
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'deflate-raw', 'br', 'zstd', 'twice', 'identity', 'unknown'])(
    'unpacks a body that is %s',
    async (coding) => {
      expect((await get(over(), `/compressed/${coding}`)).body.toString()).toContain('<h1>Unpacked</h1>');
    },
  );

  it.each([
    'compressed-badly/gzip',
    'compressed-badly/br',
    'compressed-badly/zstd',
    'compressed-cut/gzip',
    'compressed-cut/br',
    'compressed-cut/zstd',
    'compressed-cut/deflate-raw',
  ])('says that %s does not decompress', async (path) => {
    await expect(get(over(), `/${path}`)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('does not decompress'),
    });
  });

  it('refuses a body that is compressed five times over', async () => {
    await expect(get(over(), '/compressed/five-times')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });

  it.each([200, 204, 304, 404, 403, 501])('gives a page of status %i back like any other', async (code) => {
    expect((await get(over(), `/status/${code}`)).statusCode).toBe(code);
  });

  it('reads a page of exactly 10 MiB, and not a byte more', async () => {
    expect((await get(over(), '/size/10485760')).body).toHaveLength(10_485_760);
    await expect(get(over(), '/size/10485761')).rejects.toMatchObject({ code: 'UNSUPPORTED_CONTENT' });
  });

  it.each(['bomb/br', 'bomb/gzip', 'bomb/zstd', 'endless'])('stops %s at the cap', async (path) => {
    await expect(get(over(), `/${path}`)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: 'The page is larger than 10 MiB, the most that is read.',
    });
  });

  it('unpacks other pages while bombs wait for room', async () => {
    const leaving = new AbortController();
    const makeRoom = (bytes: number, signal: AbortSignal) =>
      bytes < 100_000 ? undefined : new Promise<void>((_, leave) => signal.addEventListener('abort', leave));
    const bombs = ['gzip', 'br', 'zstd'].map((coding) =>
      client.fetchPage({ url: `${over().url}/bomb/${coding}`, makeRoom }, leaving.signal),
    );
    const ends = Promise.allSettled(bombs);
    expect((await get(over(), '/compressed/br')).body.toString()).toContain('<h1>Unpacked</h1>');
    leaving.abort(new Error('the caller left'));
    for (const end of await ends) expect(end).toMatchObject({ reason: { message: 'the caller left' } });
  });

  it('unpacks a page anew when the room that it waited for is there', async () => {
    let asked = 0;
    const makeRoom = () => (++asked === 2 ? Promise.resolve() : undefined);
    const page = await get(over(), '/compressed/br', { makeRoom });
    expect(page.body.toString()).toContain('<h1>Unpacked</h1>');
    expect(asked).toBeGreaterThan(2);
  });

  it.each([
    ['/stall/before-headers', 'waiting for the first byte'],
    ['/stall/mid-body', 'reading the body'],
    ['/drip/10', 'reading the body'],
  ])('ends %s at the deadline, saying that it was %s', async (path, stage) => {
    await expect(get(over(), path, { deadlineMs: Date.now() + 300 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(stage),
    });
  });

  it.each(['/reset/before-headers', '/reset/mid-body'])('says that %s ended too early', async (path) => {
    await expect(get(over(), path)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('before the answer was complete'),
    });
    expect(over().requestsTo(path)).toHaveLength(3);
  });

  it('gets through when only the first attempts fail', async () => {
    expect((await get(over(), '/reset/first-visit/x')).statusCode).toBe(200);
    expect((await get(over(), '/flaky/2/x')).body.toString()).toContain('Up');
    expect(over().requestsTo('/flaky/2/x')).toHaveLength(3);
  });

  it('gives the last answer back when every attempt fails alike', async () => {
    expect((await get(over(), '/flaky/9/x')).statusCode).toBe(503);
    expect(over().requestsTo('/flaky/9/x')).toHaveLength(3);
  });

  it('waits a short Retry-After out, and leaves a long one to the caller', async () => {
    expect((await get(over(), '/rate-limited-then-fine/x')).statusCode).toBe(200);
    expect((await get(over(), '/rate-limited')).statusCode).toBe(429);
    expect(over().requestsTo('/rate-limited')).toHaveLength(1);
  });

  it('never repeats a POST', async () => {
    await get(over(), '/flaky/1/post', { method: 'POST', body: Buffer.from('x') });
    expect(over().requestsTo('/flaky/1/post')).toHaveLength(1);
  });

  it('gives up at once with the reason of the caller who leaves', async () => {
    const caller = new AbortController();
    const fetching = client.fetchPage({ url: `${over().url}/stall/before-headers?leaving` }, caller.signal);
    await eventually(() => expect(over().requests.some(({ url }) => url.endsWith('?leaving'))).toBe(true));
    caller.abort(new Error('the caller has left'));
    await expect(fetching).rejects.toThrow('the caller has left');
  });

  it('sends every request of a series over one connection', async () => {
    await get(over(), '/');
    const before = over().connectionCount;
    for (let count = 0; count < 5; count += 1) await get(over(), '/redirect-times/2');
    expect(over().connectionCount).toBe(before);
  });

  it('sends method, body and headers, and its own name', async () => {
    const seen = await echoed(over(), '/echo', {
      method: 'POST',
      body: Buffer.from('hello'),
      headers: { 'X-Mine': 'yes' },
    });
    expect(seen).toMatchObject({ method: 'POST', body: 'hello', headers: { 'x-mine': 'yes' } });
    expect(seen.headers['user-agent']).toContain('Gleaner/');
    expect(seen.headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
  });

  it('lets the caller say otherwise', async () => {
    const seen = await echoed(over(), '/echo', {
      headers: { 'User-Agent': 'Mine/1', 'Accept-Encoding': 'identity' },
    });
    expect(seen.headers).toMatchObject({ 'user-agent': 'Mine/1', 'accept-encoding': 'identity' });
  });
});

describe('fetchPage and protocols', () => {
  it('speaks the best protocol that the origin offers', async () => {
    expect((await echoed(plain)).httpVersion).toBe('1.1');
    expect((await echoed(tls)).httpVersion).toBe('1.1');
    expect((await echoed(h2)).httpVersion).toBe('2.0');
  });

  it('runs many requests over one HTTP/2 connection at once', async () => {
    await get(h2, '/');
    const before = h2.connectionCount;
    const pages = await Promise.all(Array.from({ length: 50 }, () => get(h2, '/size/50000')));
    expect(pages.every(({ body }) => body.length === 50_000)).toBe(true);
    expect(h2.connectionCount).toBe(before);
  });

  it('opens a new HTTP/2 connection when the server has ended the old one', async () => {
    const origin = await startOrigin({ certificate, http2: true });
    const ours = clientFor(origin);
    const fetchHome = () => ours.fetchPage({ url: `${origin.url}/` }, never);
    await fetchHome();
    await origin.close();
    await using again = await startOrigin({ certificate, http2: true, port: origin.port });
    expect((await fetchHome()).statusCode).toBe(200);
    expect(again.requests).toHaveLength(1);
    ours.close();
  });

  it('opens a new HTTP/1.1 connection when the server has ended the old one', async () => {
    const origin = await startOrigin();
    const ours = clientFor(origin);
    const fetchHome = () => ours.fetchPage({ url: `${origin.url}/` }, never);
    await fetchHome();
    await origin.close();
    await using again = await startOrigin({ port: origin.port });
    expect((await fetchHome()).statusCode).toBe(200);
    expect(again.requests).toHaveLength(1);
    ours.close();
  });
});

describe('fetchPage and broken HTTP', () => {
  it.each([
    ['/close/before-headers', 'before the answer was complete'],
    ['/close/mid-headers', 'before the answer was complete'],
    ['/close/mid-chunk', 'before the answer was complete'],
    ['/length/too-long', 'before the answer was complete'],
    ['/length/too-short', 'not valid HTTP'],
    ['/length/negative', 'not valid HTTP'],
    ['/length/two', 'not valid HTTP'],
    ['/length/with-chunks', 'not valid HTTP'],
    ['/garbage/bytes', 'not valid HTTP'],
    ['/garbage/ssh', 'not valid HTTP'],
    ['/garbage/status-line', 'not valid HTTP'],
    ['/garbage/chunk-size', 'not valid HTTP'],
    ['/garbage/header-bytes', 'not valid HTTP'],
    ['/header-flood', 'more headers'],
    ['/header-giant', 'more headers'],
  ])('says of %s: %s', async (path, message) => {
    await expect(get(plain, path)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      source: 'target',
      message: expect.stringContaining(message),
    });
  });

  it('does not wait for a body whose announced length is over the cap', async () => {
    await expect(get(plain, '/length/huge')).rejects.toMatchObject({ code: 'UNSUPPORTED_CONTENT' });
  });

  it('does not take a forged second answer for that of the next request', async () => {
    expect((await get(plain, '/length/second-response')).body.toString()).toBe('first');
    expect((await get(plain, '/product/3')).body.toString()).toContain('Product 3');
  });

  it.each(['/stall/mid-headers', '/garbage/many-continues'])('ends %s at the deadline', async (path) => {
    await expect(get(plain, path, { deadlineMs: Date.now() + 300 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('reads a body that ends with its connection', async () => {
    expect((await get(plain, '/close/after-close-delimited-body')).body.toString()).toContain('Old');
  });

  it('says that nobody listens', async () => {
    const gone = await startOrigin();
    await gone.close();
    const ours = clientFor(gone);
    await expect(ours.fetchPage({ url: gone.url }, never)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('refused the connection'),
    });
    ours.close();
  });
});

describe('fetchPage and redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows %i and tells the way', async (status) => {
    const page = await get(plain, `/redirect/${status}?to=/product/1`);
    expect(page.finalUrl).toBe(`${plain.url}/product/1`);
    expect(page.redirects).toEqual([
      { url: `${plain.url}/redirect/${status}?to=/product/1`, statusCode: status },
    ]);
  });

  it('follows ten, and no eleventh', async () => {
    expect((await get(plain, '/redirect-times/10')).redirects).toHaveLength(10);
    for (const path of ['/redirect-times/11', '/redirect-loop']) {
      await expect(get(plain, path)).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        message: expect.stringContaining('more than 10 times'),
      });
    }
  });

  it('gives a redirect that leads nowhere back as a page', async () => {
    expect((await get(plain, '/redirect-without-location')).statusCode).toBe(302);
  });

  it('does not wait for the body of a redirect', async () => {
    expect((await get(plain, '/redirect-with-endless-body')).finalUrl).toBe(`${plain.url}/`);
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433:1/',
    'http://[::1]:1/',
    'http://localhost:1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:pass@example.com/',
  ])('refuses to follow to %s, and says who sent it there', async (to) => {
    await expect(get(plain, `/redirect/302?to=${encodeURIComponent(to)}`)).rejects.toMatchObject({
      code: 'INVALID_URL',
      source: 'target',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ redirects to a URL that is refused\./),
    });
  });

  it('leaves Authorization and Cookie behind when the origin changes, and does not take them up again', async () => {
    const headers = { Authorization: 'Bearer secret', Cookie: 'own=1', 'X-Mine': 'stays' };
    const away = `/redirect/302?to=${encodeURIComponent(`${tls.url}/echo`)}`;
    expect((await echoed(plain, '/redirect/302?to=/echo', { headers })).headers).toMatchObject({
      authorization: 'Bearer secret',
      cookie: 'own=1',
    });
    const there = (await echoed(plain, away, { headers })).headers;
    expect(there).toMatchObject({ 'x-mine': 'stays' });
    expect(there).not.toHaveProperty('authorization');
    expect(there).not.toHaveProperty('cookie');
    const back = `/redirect/302?to=${encodeURIComponent(`${tls.url}/redirect/302?to=${encodeURIComponent(`${plain.url}/echo`)}`)}`;
    expect((await echoed(plain, back, { headers })).headers).not.toHaveProperty('authorization');
  });
});

describe('fetchPage and cookies', () => {
  it('sends the caller’s cookies where they belong, and those that hops set to the hops after them', async () => {
    const path = `/cookies/set?cookie=${encodeURIComponent('hop=1; Path=/')}&cookie=${encodeURIComponent('own=new; Path=/')}`;
    const cookies = [
      { name: 'own', value: 'old' },
      { name: 'elsewhere', value: 'x', domain: 'other.example' },
      { name: 'deep', value: 'x', path: '/deep' },
      { name: 'safe', value: 'x', secure: true },
    ];
    expect((await echoed(tls, path, { cookies })).headers.cookie?.split('; ').sort()).toEqual([
      'hop=1',
      'own=new',
      'safe=x',
    ]);
    expect((await echoed(tls)).headers).not.toHaveProperty('cookie');
  });

  it('lets a cookie that a hop sets replace the caller’s header of the same name', async () => {
    const seen = await echoed(plain, '/cookies/set?cookie=a%3D2%3B%20Path%3D/', {
      headers: { cookie: 'a=1; b=1' },
    });
    expect(seen.headers.cookie?.split('; ').sort()).toEqual(['a=2', 'b=1']);
  });
});

describe('fetchPage and what it refuses to send', () => {
  it('names every header that it will not send, before anything is sent', async () => {
    const before = plain.connectionCount;
    await expect(get(plain, '/refused', { headers: { Host: 'x', 'X-A': 'b\r\nc' } })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'headers.Host' }, { path: 'headers.X-A' }],
    });
    expect(plain.requestsTo('/refused')).toEqual([]);
    expect(plain.connectionCount).toBe(before);
  });

  it.each(['http://127.0.0.1:1/', 'http://127.1/', 'http://[::1]/', 'http://unix:/var/run/docker.sock:/x'])(
    'refuses %s',
    async (url) => {
      await expect(client.fetchPage({ url }, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    },
  );

  it('answers alike for a refused port that is open and one that is closed', async () => {
    const strict = createHttpClient({ policy: createEgressPolicy({ allow: [] }) });
    const before = plain.connectionCount;
    const [open, shut] = await Promise.all(
      [plain.port, 1_024].map((port) =>
        strict.fetchPage({ url: `http://127.0.0.1:${port}/` }, never).catch((error) => error),
      ),
    );
    expect({ ...open, message: open.message }).toEqual({ ...shut, message: shut.message });
    expect(plain.connectionCount).toBe(before);
    strict.close();
  });
});

describe('fetchPage and secrets', () => {
  it.each(['/reset/before-headers', '/garbage/ssh', '/length/too-long'])(
    'keeps them out of the error of %s',
    async (path) => {
      const request = {
        headers: { Authorization: 'Bearer hunter2' },
        cookies: [{ name: 'sid', value: 'hunter2' }],
      };
      const error = await get(plain, path, request).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'UPSTREAM_ERROR' });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
    },
  );
});

describe('fetchPage and certificates', () => {
  const DAY_MS = 86_400_000;

  it.each([
    [
      'has expired',
      () =>
        createCertificate({
          notBefore: new Date(Date.now() - 2 * DAY_MS),
          notAfter: new Date(Date.now() - DAY_MS),
        }),
    ],
    [
      'not valid yet',
      () =>
        createCertificate({
          notBefore: new Date(Date.now() + DAY_MS),
          notAfter: new Date(Date.now() + 2 * DAY_MS),
        }),
    ],
    ['for another host', () => createCertificate({ hosts: ['other.example'] })],
  ])('says that a certificate is %s', async (problem, create) => {
    const bad = create();
    await using origin = await startOrigin({ certificate: bad });
    const policy = createEgressPolicy({ allow: ['127.0.0.1'] });
    const trusting = createHttpClient({ policy, certificateAuthorities: [bad.cert] });
    await expect(trusting.fetchPage({ url: origin.url }, never)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining(problem),
    });
    expect(origin.requests).toEqual([]);
    trusting.close();
  });

  it('trusts no certificate that signed itself', async () => {
    const strict = createHttpClient({ policy: createEgressPolicy({ allow: ['127.0.0.1'] }) });
    await expect(strict.fetchPage({ url: tls.url }, never)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('self-signed'),
    });
    strict.close();
  });

  it('says that a server which speaks no TLS does not', async () => {
    await expect(
      client.fetchPage({ url: plain.url.replace('http:', 'https:') }, never),
    ).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('TLS'),
    });
  });
});
