import type { Origin } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient } from '../src/index.ts';
import { errorAtDeadline, never, Origins } from './origins.ts';

const origins = Origins.forThisFile();
const BODY = Buffer.from('{"q":"kettle"}');
const NOT_TWICE = { repeatable: false } as const;

function requestsTo(origin: Origin, url: string) {
  return origin.requests.filter((request) => request.url === url);
}

/**
 * The cases of WPT's fetch/api/redirect/redirect-method.any.js: status, method, and the method that arrives. A body arrives
 * where the method stays.
 */
const REDIRECTS: readonly [status: number, method: string, arrives: string][] = [
  [301, 'GET', 'GET'],
  [301, 'POST', 'GET'],
  [301, 'HEAD', 'HEAD'],
  [302, 'GET', 'GET'],
  [302, 'POST', 'GET'],
  [302, 'HEAD', 'HEAD'],
  [303, 'GET', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'HEAD', 'HEAD'],
  [307, 'GET', 'GET'],
  [307, 'POST', 'POST'],
  [307, 'HEAD', 'HEAD'],
  [308, 'GET', 'GET'],
  [308, 'POST', 'POST'],
  [308, 'HEAD', 'HEAD'],
  // Methods of the same table that WPT has as TESTING: only 303 changes them.
  [301, 'PUT', 'PUT'],
  [302, 'PATCH', 'PATCH'],
  [303, 'PUT', 'GET'],
  [303, 'DELETE', 'GET'],
  [307, 'DELETE', 'DELETE'],
];

describe('a request with a method', () => {
  it.each(REDIRECTS)('%i answers %s: %s arrives', async (status, method, arrives) => {
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const path = `/echo?after=${status}${method}`;
    const to = `/redirect/${status}?to=${encodeURIComponent(path)}`;
    await origins.get(origins.plain, to, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Own': '1' },
      ...NOT_TWICE,
      ...(hasBody && { body: BODY }),
    });
    const [seen] = requestsTo(origins.plain, path);
    expect(seen?.method).toBe(arrives);
    const keepsBody = hasBody && arrives === method;
    expect(seen?.headers['content-type']).toBe(hasBody && !keepsBody ? undefined : 'application/json');
    expect(seen?.headers['content-length']).toBe(keepsBody ? String(BODY.length) : undefined);
    expect(seen?.headers['x-own']).toBe('1');
  });

  it.each(['PUT', 'POST', 'PATCH', 'DELETE'])('sends %s with its body', async (method) => {
    const seen = await origins.echoed(origins.plain, `/echo?${method}`, { method, body: BODY, ...NOT_TWICE });
    expect(seen).toMatchObject({ method, body: BODY.toString(), headers: { 'content-length': '14' } });
  });

  it('gets the headers of HEAD, whatever they say of a body', async () => {
    const page = await origins.get(origins.plain, '/type?as=text/html&coding=gzip&hex=00', {
      method: 'HEAD',
    });
    expect(page).toMatchObject({ statusCode: 200, headers: { 'content-encoding': 'gzip' } });
    expect(page.body).toHaveLength(0);
  });

  it('does not take a body to another origin, which is told', async () => {
    const to = `/redirect/307?to=${encodeURIComponent(`${origins.tls.url}/echo?foreign`)}`;
    const post = origins.get(origins.plain, to, { method: 'POST', body: BODY, repeatable: true });
    await expect(post).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('to another origin'),
      suggestion: expect.stringContaining('send the request to its URL'),
    });
    expect(requestsTo(origins.tls, '/echo?foreign')).toHaveLength(0);
    const bare = await origins.echoed(origins.plain, to, { method: 'DELETE', ...NOT_TWICE });
    expect(bare.method).toBe('DELETE');
  });
});

describe('a request that must not be sent twice', () => {
  const post = { method: 'POST', body: BODY, ...NOT_TWICE };

  it.each([
    '/reset/before-headers',
    '/close/before-headers',
    '/close/mid-headers',
    '/close/mid-body',
    '/reset/mid-body',
  ])('is sent once, and says that its outcome is unknown (%s)', async (path) => {
    const url = `${path}?post`;
    let sent = 0;
    const onSent = () => {
      sent += 1;
    };
    await expect(origins.get(origins.plain, url, { ...post, onSent })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringMatching(/^The POST to .* may or may not/),
    });
    expect([sent, requestsTo(origins.plain, url).length]).toEqual([1, 1]);
  });

  it('says so as well when the time runs out', async () => {
    const fetching = (timeoutMs: number) => {
      const request = { ...post, deadlineMs: Date.now() + timeoutMs };
      return origins.get(origins.plain, `/stall/before-headers?post=${timeoutMs}`, request);
    };
    expect(await errorAtDeadline(fetching, ({ code }) => code === 'TIMEOUT')).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('The time ran out'),
    });
  });

  it.each(['/flaky/1/once', '/rate-limited-then-fine/once'])(
    'is not sent again after an answer (%s)',
    async (path) => {
      const { statusCode } = await origins.get(origins.plain, path, post);
      expect(statusCode).toBeGreaterThanOrEqual(429);
      expect(requestsTo(origins.plain, path)).toHaveLength(1);
    },
  );

  it('is sent again where the caller says that it may be', async () => {
    const page = await origins.get(origins.plain, '/flaky/2/again', { ...post, repeatable: true });
    expect(page.statusCode).toBe(200);
    expect(requestsTo(origins.plain, '/flaky/2/again')).toHaveLength(3);
  });

  it('is tried again while no byte of it was sent', async () => {
    const policy = createEgressPolicy({ allow: ['127.0.0.1:9'] });
    let attempts = 0;
    const refusal = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const client = createHttpClient({
      policy,
      route: async () => {
        attempts += 1;
        throw refusal();
      },
    });
    const fetched = client.fetchPage({ url: 'http://127.0.0.1:9/', ...post }, never);
    await expect(fetched).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(attempts).toBe(3);
    client.close();
  });

  it('has a connection of its own, because a kept one may be closed under it', async () => {
    const client = origins.clientFor(origins.plain);
    const url = `${origins.plain.url}/echo?kept`;
    await client.fetchPage({ url }, never);
    await client.fetchPage({ url, ...post }, never);
    await client.fetchPage({ url }, never);
    const ports = requestsTo(origins.plain, '/echo?kept').map(({ remotePort }) => remotePort);
    expect(ports[2]).toBe(ports[0]);
    expect(ports[1]).not.toBe(ports[0]);
    client.close();
  });
});
