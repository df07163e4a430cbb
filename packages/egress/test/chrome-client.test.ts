import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority, createCertificate, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createChromeClient, createEgressPolicy, describeChrome, type HttpClient } from '../src/index.ts';

const never = new AbortController().signal;
const chrome = describeChrome(151);

/** Headers in Chrome's order, recorded at a trustworthy origin. */
const NAVIGATION = [
  ['sec-ch-ua', '"Not=A?Brand";v="99", "Google Chrome";v="151", "Chromium";v="151"'],
  ['sec-ch-ua-mobile', '?0'],
  ['sec-ch-ua-platform', `"${chrome.platform}"`],
  ['Upgrade-Insecure-Requests', '1'],
  ['User-Agent', chrome.userAgent],
  [
    'Accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  ],
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Language', 'en-US,en;q=0.9'],
] as const;

describe('the Chrome client over plain http', () => {
  let origin: Origin;
  let client: HttpClient;

  beforeAll(async () => {
    origin = await startOrigin();
    client = createChromeClient({
      policy: createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`, `shop.localhost:${origin.port}`] }),
    });
  });
  afterAll(async () => {
    client.close();
    await origin.close();
  });

  function get(path: string, request: object = {}) {
    const timeoutMs = path.startsWith('/stall/') ? 1_000 : 240_000;
    return client.fetchPage(
      { url: origin.url + path, deadlineMs: Date.now() + timeoutMs, ...request },
      never,
    );
  }

  it('sends the headers of Chrome, in their order and their spelling', async () => {
    await get('/product/1', { cookies: [{ name: 'a', value: '1' }], headers: { 'x-own': 'yes' } });
    const [request] = origin.requestsTo('/product/1');
    expect(request?.rawHeaders).toEqual([
      ...['Host', `127.0.0.1:${origin.port}`],
      ...['Connection', 'keep-alive'],
      ...NAVIGATION.flat(),
      ...['X-Own', 'yes'],
      ...['Cookie', 'a=1'],
    ]);
  });

  it('sends the caller’s headers instead of its own, and no client hints with a User-Agent of the caller', async () => {
    await get('/product/2', { headers: { 'Accept-Language': 'de', 'User-Agent': 'Reader/1' } });
    const [request] = origin.requestsTo('/product/2');
    expect(request?.headers).toMatchObject({ 'accept-language': 'de', 'user-agent': 'Reader/1' });
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('sec-ch'))).toEqual([]);
    expect(request?.rawHeaders.at(-1)).toBe('de');
  });

  it('keeps connections for the next request, and follows redirects with the cookies of its hops', async () => {
    const page = await get('/cookies/set?cookie=seen=1;path=/&to=/echo');
    expect(JSON.parse(page.body.toString()).headers.cookie).toBe('seen=1');
    const ports = origin.requests.slice(-2).map(({ remotePort }) => remotePort);
    expect(ports[0]).toBe(ports[1]);
  });

  it.each([
    ['/compressed/br', 200],
    ['/compressed/zstd', 200],
    ['/status/403', 403],
    ['/failing/404/reset', 404],
    ['/failing/403/endless', 403],
  ])('returns the response of %s', async (path, statusCode) => {
    expect((await get(path)).statusCode).toBe(statusCode);
  });

  it.each([
    ['/bomb/br', 'UNSUPPORTED_CONTENT'],
    ['/endless', 'UNSUPPORTED_CONTENT'],
    ['/header-giant', 'UPSTREAM_ERROR'],
    ['/garbage/bytes', 'UPSTREAM_ERROR'],
    ['/reset/mid-body', 'UPSTREAM_ERROR'],
    ['/reset/undelimited/1.1?after=50&bytes=300000', 'UPSTREAM_ERROR'],
    ['/reset/undelimited/1.0?after=0', 'UPSTREAM_ERROR'],
    ['/stall/before-headers', 'TIMEOUT'],
    ['/stall/mid-body', 'TIMEOUT'],
    ['/redirect/302?to=http://169.254.169.254/', 'INVALID_URL'],
    ['/redirect/302?to=https://127.0.0.1:1/', 'INVALID_URL'],
    ['/redirect-loop', 'UPSTREAM_ERROR'],
  ])('fails for %s with %s', async (path, code) => {
    await expect(get(path)).rejects.toMatchObject({ code });
  });
});

describe('the Chrome client over https', () => {
  const authority = createAuthority();
  let folder: string;
  let h2: Origin;
  let http1: Origin;
  let outcomes: Record<string, Record<string, unknown>>;
  let hello: Buffer;

  /** Fetches URLs in a process that trusts the authority. */
  async function fetchAll(allow: string[], urls: string[]) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'chrome-fetch-process.ts'),
        JSON.stringify({ allow, urls, headers: { cookie: 'a=1' } }),
      ],
      { env: { SSL_CERT_FILE: join(folder, 'authority.pem') }, maxBuffer: 16 * 1_048_576 },
    );
    const list = JSON.parse(stdout) as Record<string, unknown>[];
    return Object.fromEntries(urls.map((url, index) => [url, list[index] ?? {}]));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleaner-authority-'));
    await writeFile(join(folder, 'authority.pem'), authority.cert);
    const certificate = authority.issue();
    const [other, expired, stranger, closed] = await Promise.all([
      startOrigin({ certificate: authority.issue({ hosts: ['elsewhere.test'] }) }),
      startOrigin({ certificate: authority.issue({ notAfter: new Date(Date.now() - 60_000) }) }),
      startOrigin({ certificate: createCertificate() }),
      startOrigin({ certificate }),
    ]);
    [h2, http1] = await Promise.all([
      startOrigin({ certificate, http2: true }),
      startOrigin({ certificate }),
    ]);
    const listener = createServer((socket) =>
      socket.once('data', (data: Buffer) => {
        hello = data;
        socket.destroy();
      }),
    );
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const { port } = listener.address() as { port: number };
    const open = [h2, http1, other, expired, stranger].map(({ host, port }) => `${host}:${port}`);
    const urls = {
      echo: `${h2.url}/echo`,
      overHttp1: `${http1.url}/echo`,
      compressed: `${h2.url}/compressed/br`,
      bomb: `${h2.url}/bomb/br`,
      endless: `${h2.url}/endless`,
      stalled: `${h2.url}/stall/before-headers`,
      stalledBody: `${h2.url}/stall/mid-body`,
      cookies: `${h2.url}/cookies/set?cookie=b=2;path=/&to=/echo`,
      toPrivate: `${h2.url}/redirect/302?to=https://10.0.0.1/`,
      refused: `${closed.url}/`,
      other: `${other.url}/`,
      expired: `${expired.url}/`,
      stranger: `${stranger.url}/`,
      reset: `${http1.url}/reset/undelimited/1.1?after=50`,
      rude: `${http1.url}/close/without-goodbye/X-Length: none`,
      cut: `${http1.url}/close/without-goodbye/Content-Length: 1000`,
      stalledFailure: `${h2.url}/failing/403/stall`,
      stalledRepeatedly: `${h2.url}/failing/503/stall`,
      brokenFailure: `${http1.url}/failing/404/gzip-broken`,
      corrupt: `${http1.url}/compressed-members/wrong-sum`,
      halved: `${h2.url}/compressed-cut/gzip`,
      overloaded: `${http1.url}/headers/1500/60`,
      hello: `https://127.0.0.1:${port}/`,
    };
    const byUrl = await fetchAll([...open, `127.0.0.1:${port}`], Object.values(urls));
    outcomes = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, byUrl[url] ?? {}]));
    listener.close();
    expect(closed.connectionCount).toBe(0);
    await Promise.all([other, expired, stranger, closed].map((origin) => origin.close()));
  });
  afterAll(async () => {
    await Promise.all([h2.close(), http1.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('sends the headers of Chrome over HTTP/2, in their order', () => {
    const [request] = h2.requestsTo('/echo');
    expect(request?.httpVersion).toBe('2.0');
    expect(request?.rawHeaders).toEqual([
      ...[':method', 'GET', ':authority', `127.0.0.1:${h2.port}`, ':scheme', 'https', ':path', '/echo'],
      ...NAVIGATION.flatMap(([name, value]) => [name.toLowerCase(), value]),
      ...['cookie', 'a=1', 'priority', 'u=0, i'],
    ]);
  });

  it('sends a ClientHello like Chrome’s: made-up values, post-quantum keys, its own extensions', () => {
    const { ciphers, extensions, groups } = readHello(hello);
    const isGrease = (value: number) => (value & 0x0f0f) === 0x0a0a;
    expect(ciphers.slice(1, 4)).toEqual([0x1301, 0x1302, 0x1303]);
    expect(isGrease(ciphers[0] ?? 0)).toBe(true);
    expect(groups).toContain(0x11ec);
    // compress_certificate, application_settings, encrypted_client_hello: OpenSSL sends none of them.
    expect(extensions).toEqual(expect.arrayContaining([0x001b, 0x44cd, 0xfe0d]));
  });

  it('returns decompressed pages, over HTTP/1.1 too, and sends cookies of hops', () => {
    expect(outcomes.overHttp1).toMatchObject({ statusCode: 200 });
    expect(outcomes.compressed).toMatchObject({ statusCode: 200, body: expect.stringContaining('<') });
    expect(JSON.parse(String(outcomes.cookies?.body)).headers.cookie).toBe('a=1; b=2');
  });

  it('returns an error status despite an error of its body', () => {
    expect(outcomes.stalledFailure).toMatchObject({
      statusCode: 403,
      body: expect.stringContaining('Nothing'),
    });
    expect(outcomes.stalledRepeatedly).toMatchObject({ statusCode: 503 });
    expect(outcomes.brokenFailure).toMatchObject({ statusCode: 404 });
  });

  it('retries after a reset connection', () => {
    expect(http1.requestsTo('/reset/undelimited/1.1')).toHaveLength(3);
  });

  it('accepts a connection closed without close_notify as the end of an undelimited body', () => {
    expect(outcomes.rude).toMatchObject({ statusCode: 200, body: '<!doctype html><title>Rude</title>' });
  });

  it.each([
    ['reset', 'UPSTREAM_ERROR', 'before the response was complete (ECONNRESET)'],
    ['cut', 'UPSTREAM_ERROR', 'before the response was complete (ECONNRESET)'],
    ['corrupt', 'UPSTREAM_ERROR', 'cannot be decompressed'],
    ['halved', 'UPSTREAM_ERROR', 'cannot be decompressed'],
    ['overloaded', 'UPSTREAM_ERROR', 'more headers than any page needs'],
    ['bomb', 'UNSUPPORTED_CONTENT', 'larger than 10 MiB'],
    ['endless', 'UNSUPPORTED_CONTENT', 'larger than 10 MiB'],
    ['stalled', 'TIMEOUT', 'waiting for the first byte'],
    ['stalledBody', 'TIMEOUT', 'reading the body'],
    ['toPrivate', 'INVALID_URL', 'redirects to a URL that is not allowed'],
    ['refused', 'INVALID_URL', ''],
    ['other', 'UPSTREAM_ERROR', 'certificate for another host'],
    ['expired', 'UPSTREAM_ERROR', 'certificate that has expired'],
    ['stranger', 'UPSTREAM_ERROR', 'certificate that cannot be verified'],
    ['hello', 'UPSTREAM_ERROR', 'closed the connection'],
  ])('fails for %s with %s and the reason', (name, code, words) => {
    expect(outcomes[name]).toEqual({ code, message: expect.stringContaining(words) });
  });
});

/** The parts of a ClientHello (RFC 8446 section 4.1.2) that tell clients apart. */
function readHello(record: Buffer) {
  const list = (start: number, bytes: number) =>
    Array.from({ length: bytes / 2 }, (_, index) => record.readUInt16BE(start + 2 * index));
  let at = 5 + 4 + 2 + 32;
  at += 1 + (record[at] ?? 0);
  const ciphers = list(at + 2, record.readUInt16BE(at));
  at += 2 + record.readUInt16BE(at);
  at += 1 + (record[at] ?? 0) + 2;
  const extensions: number[] = [];
  let groups: number[] = [];
  while (at + 4 <= record.length) {
    const type = record.readUInt16BE(at);
    const bytes = record.readUInt16BE(at + 2);
    extensions.push(type);
    if (type === 0x000a) groups = list(at + 6, bytes - 2);
    at += 4 + bytes;
  }
  return { ciphers, extensions, groups };
}
