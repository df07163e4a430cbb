import { createCertificate, startOrigin } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient } from '../src/index.ts';
import { never, Origins } from './origins.ts';

const origins = Origins.forThisFile();

describe('fetchPage and broken HTTP', () => {
  it.each([
    ['/close/before-headers', 'before the response was complete'],
    ['/close/mid-headers', 'before the response was complete'],
    ['/close/mid-chunk', 'before the response was complete'],
    ['/length/too-long', 'before the response was complete'],
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
  ])('explains %s: %s', async (path, message) => {
    await expect(origins.get(origins.plain, path)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      source: 'target',
      message: expect.stringContaining(message),
    });
  });

  it('does not wait for a body whose announced length is over the cap', async () => {
    await expect(origins.get(origins.plain, '/length/huge')).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
    });
  });

  it('does not mistake a forged second response for that of the next request', async () => {
    expect((await origins.get(origins.plain, '/length/second-response')).body.toString()).toBe('first');
    expect((await origins.get(origins.plain, '/product/3')).body.toString()).toContain('Product 3');
  });

  it.each(['/stall/mid-headers', '/garbage/many-continues'])('ends %s at the deadline', async (path) => {
    await expect(origins.get(origins.plain, path, { deadlineMs: Date.now() + 300 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('reads a body that ends with its connection', async () => {
    for (const origin of [origins.plain, origins.tls]) {
      expect((await origins.get(origin, '/close/after-close-delimited-body')).body.toString()).toContain(
        'Old',
      );
    }
    const rude = await origins.get(origins.tls, '/close/without-goodbye/X-Length: none');
    expect(rude.body.toString()).toContain('Rude');
  });

  it.each(['keep-alive', 'close'])(
    'accepts a complete response that bytes follow, and closes its connection (%s)',
    async (connection) => {
      const page = await origins.get(origins.plain, `/length/too-short?connection=${connection}`);
      expect(page.body.toString()).toBe('<title>');
      const before = origins.plain.connectionCount;
      expect((await origins.get(origins.plain, '/product/3')).body.toString()).toContain('Product 3');
      expect(origins.plain.connectionCount).toBe(before + 1);
    },
  );

  it.each([
    ['HTTP/1.1, at once', '/reset/undelimited/1.1?after=0'],
    ['HTTP/1.1, after a while', '/reset/undelimited/1.1?after=50'],
    ['HTTP/1.1, after 300 KB', '/reset/undelimited/1.1?after=50&bytes=300000'],
    ['HTTP/1.0', '/reset/undelimited/1.0?after=50'],
  ])('does not mistake a reset for the end of a body: %s', async (_when, path) => {
    for (const origin of [origins.plain, origins.tls]) {
      await expect(origins.get(origin, path)).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        message: expect.stringContaining('before the response was complete (ECONNRESET)'),
      });
      expect(origin.requests.filter(({ url }) => url === path)).toHaveLength(3);
    }
  });

  it('reports that nothing listens', async () => {
    const gone = await startOrigin();
    await gone.close();
    const ours = origins.clientFor(gone);
    await expect(ours.fetchPage({ url: gone.url }, never)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('refused the connection'),
    });
    ours.close();
  });
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
  ])('reports that a certificate %s', async (problem, create) => {
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

  it('does not trust a self-signed certificate', async () => {
    const strict = createHttpClient({ policy: createEgressPolicy({ allow: ['127.0.0.1'] }) });
    await expect(strict.fetchPage({ url: origins.tls.url }, never)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('self-signed'),
    });
    strict.close();
  });

  it('reports a server that does not speak TLS', async () => {
    await expect(
      origins.client.fetchPage({ url: origins.plain.url.replace('http:', 'https:') }, never),
    ).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('TLS'),
    });
  });
});
