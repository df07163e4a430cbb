import { type IncomingMessage, request as openRequest } from 'node:http';
import { inspect } from 'node:util';
import {
  type Certificate,
  createCertificate,
  eventually,
  type Origin,
  startBrokenProxy,
  startHttpProxy,
  startOrigin,
  startSocksProxy,
  type TestProxy,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createChromeClient,
  createEgressPolicy,
  createHttpClient,
  createProxyPools,
  createProxyStarter,
  isWorthAnotherProxy,
  type ProxyLease,
  type ProxyServer,
  readProxies,
} from '../src/index.ts';
import { errorAtDeadline, errorOf, isBefore } from './origins.ts';

const CREDENTIALS = { username: 'cust-omer', password: 'p@ss/w:rd é' };

let certificate: Certificate;
let origin: Origin;
let secureOrigin: Origin;
let closedOrigin: Origin;

beforeAll(async () => {
  certificate = createCertificate();
  [origin, secureOrigin, closedOrigin] = await Promise.all([
    startOrigin(),
    startOrigin({ certificate }),
    startOrigin({ host: '127.0.0.2' }),
  ]);
});
afterAll(async () => {
  await Promise.all([origin, secureOrigin, closedOrigin].map((site) => site.close()));
});

type Started = AsyncDisposable & { readonly url: string; readonly port: number };

/** Creates a client and the pool "us" of these proxies; the policy allows them and the origins. */
function setUp(...proxies: readonly (Started | string)[]) {
  const urls = proxies.map((proxy) => (typeof proxy === 'string' ? proxy : proxy.url));
  const ports = [origin, secureOrigin].map(({ port }) => `127.0.0.1:${port}`);
  const policy = createEgressPolicy({
    allow: [...ports, 'localhost', ...urls.map((url) => `127.0.0.1:${new URL(url).port}`)],
  });
  const trusted = { certificateAuthorities: [certificate.cert] };
  const PROXIES = JSON.stringify({ us: urls });
  const pools = createProxyPools({
    proxies: readProxies({ PROXIES, PROXIES_FILE: undefined }, policy),
    policy,
    ...trusted,
  });
  const client = createHttpClient({ policy, ...trusted });
  const lease = () => {
    const leased = pools.lease('us', { target: 'x' });
    if (!leased) throw new Error('no proxy is left');
    return leased;
  };
  const fetchPage = (url: string, { route }: ProxyLease = lease(), timeoutMs = 240_000) =>
    client.fetchPage({ url, route, deadlineMs: Date.now() + timeoutMs }, new AbortController().signal);
  return { policy, lease, fetchPage, [Symbol.dispose]: client.close };
}

const KINDS: readonly [string, () => Promise<TestProxy>][] = [
  ['http', () => startHttpProxy()],
  ['http with credentials', () => startHttpProxy({ credentials: CREDENTIALS })],
  ['https', () => startHttpProxy({ certificate })],
  ['https with credentials', () => startHttpProxy({ certificate, credentials: CREDENTIALS })],
  ['socks5', () => startSocksProxy()],
  ['socks5 with credentials', () => startSocksProxy({ credentials: CREDENTIALS })],
];

describe.each(KINDS)('through a proxy that speaks %s', (_kind, start) => {
  it('fetches over http and https, and the target sees no trace of the proxy', async () => {
    await using proxy = await start();
    using set = setUp(proxy);
    const plain = await set.fetchPage(`${origin.url}/echo`);
    const secure = await set.fetchPage(`${secureOrigin.url}/echo`);
    expect([plain.statusCode, secure.statusCode]).toEqual([200, 200]);
    expect(plain.body.toString()).not.toMatch(/proxy/i);
    expect(proxy.tunnels.map(({ port }) => port)).toEqual([origin.port, secureOrigin.port]);
  });

  it('fetches as Chrome over http and https', async () => {
    await using proxy = await start();
    using set = setUp(proxy);
    const chrome = createChromeClient({ policy: set.policy });
    const fetchAs = (url: string) =>
      chrome.fetchPage({ url, route: set.lease().route }, new AbortController().signal);
    expect((await fetchAs(`${origin.url}/echo`)).statusCode).toBe(200);
    // Chrome does not trust the test's authority; the certificate error shows that it reached the site.
    await expect(fetchAs(`${secureOrigin.url}/echo`)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('certificate'),
    });
    expect(proxy.tunnels.map(({ port }) => port)).toEqual([origin.port, secureOrigin.port]);
    chrome.close();
  });

  it('fetches a large body completely', async () => {
    await using proxy = await start();
    using set = setUp(proxy);
    const { body } = await set.fetchPage(`${secureOrigin.url}/size/3000000`);
    expect(body.length).toBe(3_000_000);
  });

  it('follows redirects over hosts and schemes on kept connections', async () => {
    await using proxy = await start();
    await using other = await startHttpProxy();
    using set = setUp(proxy, other);
    const last = `http://localhost:${origin.port}/product/1`;
    const next = `${secureOrigin.url}/redirect/302?to=${encodeURIComponent(last)}`;
    const lease = set.lease();
    const page = await set.fetchPage(`${origin.url}/redirect/301?to=${encodeURIComponent(next)}`, lease);
    expect(page).toMatchObject({ finalUrl: last, statusCode: 200 });
    expect(proxy.tunnels).toHaveLength(3);
    await set.fetchPage(`${origin.url}/product/2`, lease);
    expect([proxy.tunnels.length, other.tunnels.length]).toEqual([3, 0]);
  });
});

/** Returns everything that a log or a reply could show of an error. */
function shown(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true, getters: true });
}

describe('a proxy that fails', () => {
  const wrong = (url: string) => url.replace(/:[^:@]*@/, ':wr0ng-pass@');

  it.each([
    ['http', () => startHttpProxy({ credentials: CREDENTIALS })],
    ['https', () => startHttpProxy({ credentials: CREDENTIALS, certificate })],
    ['socks5', () => startSocksProxy({ credentials: CREDENTIALS })],
  ])(
    'over %s because of wrong or missing credentials is a PROXY_ERROR without credentials',
    async (_kind, start) => {
      await using proxy = await start();
      for (const url of [wrong(proxy.url), proxy.url.replace(/\/\/.*@/, '//')]) {
        using set = setUp(url);
        const error = await errorOf(set.fetchPage(`${origin.url}/product/3`));
        expect(error).toMatchObject({ code: 'PROXY_ERROR', message: expect.stringContaining('credentials') });
        expect(shown(error)).not.toMatch(/wr0ng|cust-omer|p@ss|d3Iw|127\.0\.0\.1/);
      }
      expect(origin.requestsTo('/product/3')).toEqual([]);
    },
  );

  it.each([
    ['closes', 'closed the connection'],
    ['answers nonsense', 'not its protocol'],
    ['answers without end', 'not its protocol'],
    ['refuses with 403', 'refused to connect to the site (status 403)'],
    ['fails with 502', 'could not connect to the site (status 502)'],
  ] as const)('because it %s is a PROXY_ERROR with that reason', async (failure, words) => {
    await using proxy = await startBrokenProxy(failure);
    using set = setUp(proxy);
    for (const url of [origin.url, secureOrigin.url]) {
      const error = await errorOf(set.fetchPage(url));
      expect(error).toMatchObject({ code: 'PROXY_ERROR', message: expect.stringContaining(words) });
      expect(isWorthAnotherProxy(error)).toBe(true);
    }
  });

  it.each([
    [2, 'refused to connect to the site (not allowed'],
    [4, 'could not connect to the site (host unreachable)'],
    [99, 'refused to connect to the site (reply 99)'],
  ])('with SOCKS reply %i is a PROXY_ERROR with that reason', async (reply, words) => {
    await using proxy = await startSocksProxy({ reply });
    using set = setUp(proxy);
    const error = await errorOf(set.fetchPage(origin.url));
    expect(error).toMatchObject({ code: 'PROXY_ERROR', message: expect.stringContaining(words) });
  });

  it('because of an invalid certificate is a PROXY_ERROR', async () => {
    await using proxy = await startHttpProxy({ certificate: createCertificate() });
    using set = setUp(proxy);
    const error = await errorOf(set.fetchPage(origin.url));
    expect(error).toMatchObject({ code: 'PROXY_ERROR', message: expect.stringContaining('over TLS') });
  });

  it('because it speaks another protocol is a PROXY_ERROR', async () => {
    await using http = await startHttpProxy();
    await using socks = await startSocksProxy();
    const urls = [
      `socks5://127.0.0.1:${http.port}`,
      `https://127.0.0.1:${http.port}`,
      `http://127.0.0.1:${socks.port}`,
    ];
    for (const url of urls) {
      using set = setUp(url);
      expect(await errorOf(set.fetchPage(origin.url))).toMatchObject({ code: 'PROXY_ERROR' });
    }
  });

  it('because nothing listens there is a PROXY_ERROR', async () => {
    const proxy = await startHttpProxy();
    await proxy.close();
    using set = setUp(proxy);
    expect(await errorOf(set.fetchPage(origin.url))).toMatchObject({
      code: 'PROXY_ERROR',
      message: 'A proxy of "us" cannot be reached (ECONNREFUSED).',
    });
  });

  it('during a page is reported by the next attempt', async () => {
    const proxy = await startHttpProxy();
    using set = setUp(proxy);
    const path = '/stall/mid-body?dying';
    const fetching = errorOf(set.fetchPage(origin.url + path));
    await eventually(() => expect(origin.requests.some(({ url }) => url === path)).toBe(true));
    await proxy.close();
    expect(await fetching).toMatchObject({
      code: 'PROXY_ERROR',
      message: expect.stringContaining('reached'),
    });
  });

  it('by closing every tunnel allows another proxy', async () => {
    await using proxy = await startBrokenProxy('closes its tunnels');
    using set = setUp(proxy);
    for (const url of [origin.url, secureOrigin.url]) {
      const error = await errorOf(set.fetchPage(url));
      expect([error.code, isWorthAnotherProxy(error)]).toEqual(['UPSTREAM_ERROR', true]);
    }
  });

  it('by sending nothing ends in a TIMEOUT that names the proxy', async () => {
    await using proxy = await startBrokenProxy('says nothing');
    const stage = 'waiting for the proxy';
    // After 10 s of silence comes another error.
    const bounds = { firstMs: 1_000, lastMs: 8_000 };
    for (const url of [proxy.url, proxy.url.replace('http', 'socks5')]) {
      using set = setUp(url);
      const fetching = (timeoutMs: number) => set.fetchPage(origin.url, undefined, timeoutMs);
      expect(await errorAtDeadline(fetching, isBefore(stage), bounds)).toMatchObject({
        code: 'TIMEOUT',
        message: expect.stringContaining(stage),
      });
    }
  });
});

describe('a proxy server that connects through another', () => {
  const goThrough = async (next: Started, body: (proxy: ProxyServer) => Promise<void>) => {
    using set = setUp(next);
    const { policy, lease } = set;
    const proxy = await createProxyStarter({ policy })({ maxBytes: 1_000_000, route: lease().route });
    try {
      await body(proxy);
    } finally {
      await proxy.close();
    }
  };

  it('forwards plain requests', async () => {
    await using next = await startSocksProxy();
    await goThrough(next, async ({ port, routeFailed }) => {
      const { statusCode } = await ask(port, `${origin.url}/product/6`);
      expect([statusCode, routeFailed.aborted]).toEqual([200, false]);
    });
    expect(next.tunnels).toHaveLength(1);
  });

  it.each([
    ['closes', false],
    ['answers nonsense', true],
    ['fails with 502', false],
  ] as const)('reports whether a proxy that %s failed by itself: %s', async (failure, isItsOwn) => {
    await using next = await startBrokenProxy(failure);
    await goThrough(next, async ({ port, routeFailed, failureOf }) => {
      await expect(ask(port, origin.url)).rejects.toThrow();
      expect(failureOf(origin.url)).toMatchObject({ code: 'PROXY_ERROR' });
      expect(routeFailed.aborted).toBe(isItsOwn);
    });
  });
});

/** Requests a URL in absolute form from a proxy on loopback. */
function ask(port: number, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    openRequest({ host: '127.0.0.1', port, path: url, agent: false })
      .on('error', reject)
      .on('response', (response) => resolve(response.resume()))
      .end();
  });
}

describe('the policy', () => {
  it.each(['http', 'socks5', 'socks5h'])(
    'blocks private targets through a proxy over %s, by name, by address and by redirect',
    async (scheme) => {
      await using proxy = await (scheme === 'http' ? startHttpProxy() : startSocksProxy());
      using set = setUp(proxy.url.replace(/^\w+/, scheme));
      const secret = `http://127.0.0.2:${closedOrigin.port}/`;
      for (const url of [
        secret,
        'http://169.254.169.254/latest/meta-data/',
        'http://10.0.0.1/',
        'http://metadata.google.internal/',
        `${origin.url}/redirect/302?to=${encodeURIComponent(secret)}`,
      ]) {
        expect(await errorOf(set.fetchPage(url))).toMatchObject({ code: 'INVALID_URL' });
      }
      expect(closedOrigin.connectionCount).toBe(0);
      expect(proxy.tunnels.filter(({ port }) => port !== origin.port)).toEqual([]);
    },
  );

  it('gives a proxy the checked address, and the name only if configured', async () => {
    await using http = await startHttpProxy();
    await using socks = await startSocksProxy();
    const url = `http://localhost:${origin.port}/product/4`;
    const hosts = async (proxyUrl: string, { tunnels }: TestProxy) => {
      using set = setUp(proxyUrl);
      await set.fetchPage(url);
      return tunnels.at(-1)?.host;
    };
    expect(await hosts(http.url, http)).toBe('127.0.0.1');
    expect(await hosts(socks.url, socks)).toBe('127.0.0.1');
    expect(await hosts(socks.url.replace('socks5', 'socks5h'), socks)).toBe('localhost');
    expect(origin.requestsTo('/product/4').map(({ headers }) => headers.host)).toEqual(
      Array(3).fill(`localhost:${origin.port}`),
    );
  });

  it('rejects names that do not resolve here', async () => {
    await using proxy = await startSocksProxy();
    using set = setUp(proxy.url.replace('socks5', 'socks5h'));
    const error = await errorOf(set.fetchPage('http://nowhere.invalid/'));
    expect([error.code, isWorthAnotherProxy(error)]).toEqual(['UPSTREAM_ERROR', false]);
    expect(proxy.tunnels).toEqual([]);
  });

  it('checks the address of a proxy at every connection', async () => {
    await using proxy = await startHttpProxy();
    const policy = createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`] });
    const open = createEgressPolicy({ allow: ['127.0.0.1'] });
    const settings = { PROXIES: `us=${proxy.url}`, PROXIES_FILE: undefined };
    expect(() => readProxies(settings, policy)).toThrow('EGRESS_ALLOW');
    const pools = createProxyPools({ proxies: readProxies(settings, open), policy });
    const client = createHttpClient({ policy });
    const lease = pools.lease('us', { target: 'x' });
    if (!lease) throw new Error('no lease');
    const error = await errorOf(
      client.fetchPage({ url: origin.url, route: lease.route }, new AbortController().signal),
    );
    expect(error).toMatchObject({ code: 'PROXY_ERROR', message: expect.stringContaining('private network') });
    expect(shown(error)).not.toContain('127.0.0.1');
    expect(proxy.tunnels).toEqual([]);
  });
});
