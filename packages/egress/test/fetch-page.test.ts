import { eventually, freePort, startOrigin } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { errorAtDeadline, isBefore, never, Origins } from './origins.ts';

const origins = Origins.forThisFile();

const OVER = [
  ['http/1.1', () => origins.plain],
  ['http/1.1 over TLS', () => origins.tls],
] as const;

describe.each(OVER)('fetchPage over %s', (_protocol, over) => {
  it('returns the page, its URL and the timings', async () => {
    const page = await origins.get(over(), '/product/7');
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
    'decompresses a body that is %s',
    async (coding) => {
      expect((await origins.get(over(), `/compressed/${coding}`)).body.toString()).toContain(
        '<h1>Unpacked</h1>',
      );
    },
  );

  it.each(['two', 'and-newline', 'and-letters', 'and-zeros', 'all-header-fields'])(
    'decompresses gzip members and ignores bytes after the last: %s',
    async (kind) => {
      const { body } = await origins.get(over(), `/compressed-members/${kind}`);
      expect(body.toString()).toMatch(/^<!doctype html>.*<h1>Unpacked<\/h1>.*<\/html>$/);
    },
  );

  it.each([
    'compressed-members/two-one-cut',
    'compressed-members/wrong-sum',
    'compressed-members/wrong-size',
    'compressed-badly/gzip',
    'compressed-badly/br',
    'compressed-badly/zstd',
    'compressed-cut/gzip',
    'compressed-cut/br',
    'compressed-cut/zstd',
    'compressed-cut/deflate-raw',
  ])('reports that %s cannot be decompressed', async (path) => {
    await expect(origins.get(over(), `/${path}`)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('cannot be decompressed'),
    });
  });

  it('rejects a body that is compressed five times', async () => {
    await expect(origins.get(over(), '/compressed/five-times')).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
  });

  it.each([200, 204, 304, 404, 403, 501])('returns a page of status %i like any other', async (code) => {
    expect((await origins.get(over(), `/status/${code}`)).statusCode).toBe(code);
  });

  it.each([
    ['404', 'long-by-length', 'Nothing for you'],
    ['404', 'endless', 'Nothing for you'],
    ['404', 'gzip-broken', ''],
    ['404', 'gzip-cut', 'Nothing for you'],
    ['404', 'gzip-many', 'Nothing for you'],
    ['404', 'cut', ''],
    ['410', 'reset', ''],
  ])('returns status %s despite an error of its body (%s)', async (code, defect, words) => {
    const path = `/failing/${code}/${defect}`;
    const { statusCode, body } = await origins.get(over(), path);
    expect(statusCode).toBe(Number(code));
    expect(body.toString()).toContain(words);
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(over().requestsTo(path)).toHaveLength(1);
  });

  it('returns a status whose body stalls when little time is left', async () => {
    // Less than the longest wait for such a body. On a busy machine the status may come too late for that.
    const soon = () => ({ deadlineMs: Date.now() + 2_900 });
    const page = await eventually(() => origins.get(over(), '/failing/403/stall', soon()));
    expect(page.statusCode).toBe(403);
    expect(page.body.toString()).toContain('Nothing for you');
  });

  it('honors Retry-After and retries when the body of an error stalls', async () => {
    const soon = () => ({ deadlineMs: Date.now() + 30_000 });
    const limited = await origins.get(over(), '/failing/429/stall?retry-after=30', soon());
    expect(limited).toMatchObject({ statusCode: 429, headers: { 'retry-after': '30' } });
    expect((await origins.get(over(), '/failing/503/stall', soon())).statusCode).toBe(503);
    expect(over().requestsTo('/failing/429/stall')).toHaveLength(1);
    expect(over().requestsTo('/failing/503/stall')).toHaveLength(3);
  });

  it('stops at once when the caller aborts while the body of an error stalls', async () => {
    const caller = new AbortController();
    const path = '/failing/403/stall?leaving';
    const fetching = origins.client.fetchPage({ url: over().url + path }, caller.signal);
    await eventually(() => expect(over().requests.some(({ url }) => url === path)).toBe(true));
    caller.abort(new Error('the caller has left'));
    await expect(fetching).rejects.toThrow('the caller has left');
  });

  it('reads a page of exactly 10 MiB and rejects a larger one', async () => {
    expect((await origins.get(over(), '/size/10485760')).body).toHaveLength(10_485_760);
    await expect(origins.get(over(), '/size/10485761')).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
    });
  });

  it.each(['bomb/br', 'bomb/gzip', 'bomb/zstd', 'endless'])('stops %s at the cap', async (path) => {
    await expect(origins.get(over(), `/${path}`)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: 'The page is larger than 10 MiB, the most that is read.',
    });
  });

  it('decompresses other pages while bombs wait for room', async () => {
    const leaving = new AbortController();
    let waiting = 0;
    const makeRoom = (bytes: number, signal: AbortSignal) => {
      if (bytes < 100_000) return undefined;
      waiting += 1;
      return new Promise<void>((_, leave) => signal.addEventListener('abort', leave));
    };
    const bombs = ['gzip', 'br', 'zstd'].map((coding) =>
      origins.client.fetchPage({ url: `${over().url}/bomb/${coding}`, makeRoom }, leaving.signal),
    );
    const ends = Promise.allSettled(bombs);
    await eventually(() => expect(waiting).toBe(bombs.length));
    expect((await origins.get(over(), '/compressed/br')).body.toString()).toContain('<h1>Unpacked</h1>');
    leaving.abort(new Error('the caller left'));
    for (const end of await ends) expect(end).toMatchObject({ reason: { message: 'the caller left' } });
  });

  it('decompresses a page again once there is room', async () => {
    let asked = 0;
    const makeRoom = () => (++asked === 2 ? Promise.resolve() : undefined);
    const page = await origins.get(over(), '/compressed/br', { makeRoom });
    expect(page.body.toString()).toContain('<h1>Unpacked</h1>');
    expect(asked).toBeGreaterThan(2);
  });

  it.each([
    ['/stall/before-headers', 'waiting for the first byte', 'has not responded'],
    ['/stall/mid-body', 'reading the body', 'sends slowly or without end'],
    ['/drip/10', 'reading the body', 'sends slowly or without end'],
  ])('ends %s at the deadline with the stage (%s) and a suggestion', async (path, stage, advice) => {
    const fetching = (timeoutMs: number) => origins.get(over(), path, { deadlineMs: Date.now() + timeoutMs });
    expect(await errorAtDeadline(fetching, isBefore(stage))).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(stage),
      suggestion: expect.stringContaining(advice),
    });
  });

  it.each([
    ['100 fields', '/headers/100/400'],
    ['1500 fields', '/headers/1500/10'],
  ])('accepts %s of headers within 64 KiB', async (_count, path) => {
    expect((await origins.get(over(), path)).headers['x-filler-99']).toMatch(/^y+$/);
  });

  it.each([
    ['many fields', '/headers/1500/60'],
    ['large fields', '/headers/7/10000'],
  ])('rejects more than 64 KiB of headers: %s', async (_what, path) => {
    await expect(origins.get(over(), path)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('more headers than any page needs'),
    });
    expect(over().requestsTo(path)).toHaveLength(1);
  });

  it.each(['/reset/before-headers', '/reset/mid-body', '/close/mid-body'])(
    'reports that %s ended early',
    async (path) => {
      await expect(origins.get(over(), path)).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        message: expect.stringContaining('before the response was complete'),
      });
      expect(over().requestsTo(path)).toHaveLength(3);
    },
  );

  it('reports a reset in the middle of a body on a kept connection', async () => {
    await origins.get(over(), '/');
    await expect(origins.get(over(), '/failing/200/reset')).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('before the response was complete'),
    });
    expect(over().requestsTo('/failing/200/reset')).toHaveLength(3);
  });

  it('succeeds when only the first attempts fail', async () => {
    expect((await origins.get(over(), '/reset/first-visit/x')).statusCode).toBe(200);
    expect((await origins.get(over(), '/flaky/2/x')).body.toString()).toContain('Up');
    expect(over().requestsTo('/flaky/2/x')).toHaveLength(3);
  });

  it('returns the last response when every attempt fails', async () => {
    expect((await origins.get(over(), '/flaky/9/x')).statusCode).toBe(503);
    expect(over().requestsTo('/flaky/9/x')).toHaveLength(3);
  });

  it('brings the cookies of an answer that is tried again', async () => {
    const page = await origins.get(over(), '/checks/503');
    expect([page.statusCode, page.body.toString()]).toEqual([200, expect.stringContaining('Open')]);
    expect(over().requestsTo('/checks/503')).toHaveLength(2);
  });

  it('waits for a short Retry-After and leaves a long one to the caller', async () => {
    expect((await origins.get(over(), '/rate-limited-then-fine/x')).statusCode).toBe(200);
    expect((await origins.get(over(), '/rate-limited')).statusCode).toBe(429);
    expect(over().requestsTo('/rate-limited')).toHaveLength(1);
  });

  it('never repeats a POST', async () => {
    await origins.get(over(), '/flaky/1/post', { method: 'POST', body: Buffer.from('x') });
    expect(over().requestsTo('/flaky/1/post')).toHaveLength(1);
  });

  it('stops at once with the reason of a caller that aborts', async () => {
    const caller = new AbortController();
    const fetching = origins.client.fetchPage(
      { url: `${over().url}/stall/before-headers?leaving` },
      caller.signal,
    );
    await eventually(() => expect(over().requests.some(({ url }) => url.endsWith('?leaving'))).toBe(true));
    caller.abort(new Error('the caller has left'));
    await expect(fetching).rejects.toThrow('the caller has left');
  });

  it('sends every request of a series over one connection', async () => {
    await origins.get(over(), '/');
    const before = over().connectionCount;
    for (let count = 0; count < 5; count += 1) await origins.get(over(), '/redirect-times/2');
    expect(over().connectionCount).toBe(before);
  });

  it('sends method, body and headers, and identifies itself', async () => {
    const seen = await origins.echoed(over(), '/echo', {
      method: 'POST',
      body: Buffer.from('hello'),
      headers: { 'X-Mine': 'yes' },
    });
    expect(seen).toMatchObject({ method: 'POST', body: 'hello', headers: { 'x-mine': 'yes' } });
    expect(seen.headers['user-agent']).toContain('Gleaner/');
    expect(seen.headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
  });

  it('lets the caller override default headers', async () => {
    const seen = await origins.echoed(over(), '/echo', {
      headers: { 'User-Agent': 'Mine/1', 'Accept-Encoding': 'identity' },
    });
    expect(seen.headers).toMatchObject({ 'user-agent': 'Mine/1', 'accept-encoding': 'identity' });
  });
});

describe('fetchPage and protocols', () => {
  it('speaks HTTP/1.1, also with an origin that offers HTTP/2', async () => {
    await using origin = await startOrigin({ certificate: origins.certificate, http2: true });
    const ours = origins.clientFor(origin);
    const page = await ours.fetchPage({ url: `${origin.url}/echo` }, never);
    expect(JSON.parse(page.body.toString()).httpVersion).toBe('1.1');
    ours.close();
  });

  it('opens a new connection when the server has ended the old one', async () => {
    const port = await freePort();
    const origin = await startOrigin({ port });
    const ours = origins.clientFor(origin);
    const fetchHome = () => ours.fetchPage({ url: `${origin.url}/` }, never);
    await fetchHome();
    await origin.close();
    await using again = await startOrigin({ port });
    expect((await fetchHome()).statusCode).toBe(200);
    expect(again.requests).toHaveLength(1);
    ours.close();
  });
});
