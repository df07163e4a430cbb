import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BLOCK_PAGE_VENDORS, eventually, type Origin, startOrigin, WALL_CHECK_NAMES } from '../src/index.ts';

/** Time without a further byte of a stalled response. */
const STALLED_MS = 300;

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());

/** Requests a path; `received` returns what has arrived of the raw response. */
function request(path: string): { readonly socket: Socket; readonly received: () => string } {
  const socket = connect(origin.port, origin.host);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n\r\n`);
  return { socket, received: () => Buffer.concat(chunks).toString('latin1') };
}

/** Returns the raw response of a path after which the connection is closed. */
async function rawAnswer(path: string): Promise<string> {
  const { socket, received } = request(path);
  await once(socket, 'close').catch(() => {});
  return received();
}

describe('startOrigin', () => {
  it('logs every request with its headers, body and connection', async () => {
    await fetch(`${origin.url}/echo?x=1`, { method: 'POST', body: 'hello', headers: { 'x-mine': 'yes' } });
    expect(origin.requestsTo('/echo')).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/echo?x=1',
        path: '/echo',
        httpVersion: '1.1',
        headers: expect.objectContaining({ 'x-mine': 'yes' }),
        body: Buffer.from('hello'),
        remotePort: expect.any(Number),
      }),
    ]);
  });

  it('counts connections, including those without a request', async () => {
    const before = origin.connectionCount;
    const socket = connect(origin.port, origin.host);
    await eventually(() => expect(origin.connectionCount).toBe(before + 1));
    socket.destroy();
  });

  it('answers 404 where it has no page', async () => {
    expect((await fetch(`${origin.url}/nothing/here`)).status).toBe(404);
  });

  it('sends pages of exactly the requested size', async () => {
    expect(await (await fetch(`${origin.url}/size/12345`)).text()).toHaveLength(12_345);
  });

  it('nests 200,000 elements', async () => {
    const html = await (await fetch(`${origin.url}/deep/200000`)).text();
    expect(html.match(/<div>/g)).toHaveLength(200_000);
  });

  it('packs a gibibyte into under 900 bytes of brotli', async () => {
    const answer = await rawAnswer('/bomb/br');
    expect(answer.split('\r\n\r\n', 1)[0]).toContain('content-encoding: br');
    expect(answer.slice(answer.indexOf('\r\n\r\n')).length).toBeLessThan(900);
  });

  it('fails as often as the path says, for each token', async () => {
    const statuses = async (token: string) => {
      const seen: number[] = [];
      for (let count = 0; count < 3; count += 1)
        seen.push((await fetch(`${origin.url}/flaky/2/${token}`)).status);
      return seen;
    };
    expect(await statuses('a')).toEqual([503, 503, 200]);
    expect(await statuses('b')).toEqual([503, 503, 200]);
  });

  it.each([
    ['/length/too-long', /Content-Length: 1000\r\n\r\n<title>Short<\/title>$/],
    ['/garbage/ssh', /^SSH-2\.0/],
    ['/close/before-headers', /^$/],
  ])('misbehaves on the wire at %s', async (path, pattern) => {
    expect(await rawAnswer(path)).toMatch(pattern);
  });

  it.each([
    ['/stall/before-headers', /^$/],
    ['/stall/mid-headers', /X-Half$/],
  ])('stalls on the wire at %s', async (path, pattern) => {
    const { socket, received } = request(path);
    await eventually(() => {
      expect(origin.requestsTo(path)).toHaveLength(1);
      expect(received()).toMatch(pattern);
    });
    await delay(STALLED_MS);
    expect(received()).toMatch(pattern);
    expect(socket.closed).toBe(false);
    socket.destroy();
  });

  it.each(BLOCK_PAGE_VENDORS)('plays the wall of %s under any status', async (vendor) => {
    expect((await fetch(`${origin.url}/blocked/${vendor}?status=418`)).status).toBe(418);
  });

  it('closes at once while responses are still being sent', async () => {
    const closing = await startOrigin();
    const stalled = fetch(`${closing.url}/stall/mid-body`).then((response) => response.text());
    await eventually(() => expect(closing.requests).toHaveLength(1));
    await closing.close();
    await expect(stalled).rejects.toThrow();
  });
});

describe('walls', () => {
  it.each(WALL_CHECK_NAMES)('refuse a client that does not pass the check %s', async (check) => {
    const response = await fetch(`${origin.url}/wall/perimeterx/${check}`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('px-captcha');
  });

  it('let clients through that have run their script', async () => {
    const headers = { cookie: 'wall-proof=tpircs' };
    const response = await fetch(`${origin.url}/wall/perimeterx/script`, { headers });
    expect(await response.text()).toContain('Behind the wall');
  });
});
