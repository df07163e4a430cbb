import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { sendRaw } from './support/raw-http.ts';
import { found, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let impatient: TestGateway;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
  impatient = await bed.startGateway({
    HEADERS_TIMEOUT_MS: '300',
    REQUEST_TIMEOUT_MS: '600',
    KEEP_ALIVE_TIMEOUT_MS: '200',
  });
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('what is not HTTP', () => {
  it.each([
    ['garbage', 'HELLO\r\n\r\n'],
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['HTTP/2.0 by name', 'GET / HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['a bad version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
  ])('gets the error body with INVALID_REQUEST: %s', async (_, bytes) => {
    const { status, error, text } = await sendRaw(gateway.port, bytes);
    expect([status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(text).toContain(`X-Request-Id: ${error.requestId}`);
  });

  it('gets the headers of every response', async () => {
    const { headers } = await call(`${gateway.url}/v1/nothing`);
    const { text } = await sendRaw(gateway.port, 'HELLO\r\n\r\n');
    const named = [...text.matchAll(/^([\w-]+): (.*)\r$/gm)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value,
    ]);
    const refusal = Object.fromEntries(named);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['date', 'cache-control']));
    expect(Object.keys(refusal).toSorted()).toEqual(Object.keys(headers).toSorted());
    expect(refusal['cache-control']).toBe(headers['cache-control']);
    expect(new Date(refusal.date).toUTCString()).toBe(refusal.date);
  });

  it('gets PAYLOAD_TOO_LARGE when its headers are over 16 KiB', async () => {
    const { status, error } = await sendRaw(
      gateway.port,
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect([status, error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('gets METHOD_NOT_ALLOWED for CONNECT', async () => {
    const { error, text } = await sendRaw(
      gateway.port,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    );
    expect(error.code).toBe('METHOD_NOT_ALLOWED');
    expect(text).toMatch(/^Allow: .*\bPOST\b.*\bHEAD, OPTIONS\r$/m);
  });

  it('may send an unknown Expect header', async () => {
    const { status } = await sendRaw(
      gateway.port,
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: the-spanish-inquisition\r\nConnection: close\r\n\r\n',
    );
    expect(status).toBe(200);
  });

  it('may be HTTP/1.0 without a Host header', async () => {
    const { status } = await sendRaw(gateway.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(status).toBe(200);
  });

  it('is answered without the upgrade that it requests', async () => {
    const { status } = await sendRaw(
      gateway.port,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(status).toBe(200);
  });
});

describe('what is not HTTP after a good request', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n', '400'],
    ['a CONNECT request', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', '405'],
  ])('neither cancels the scrape nor replaces its response: %s', async (_, bytes, status) => {
    const worker = await startScriptedWorker(bed.broker);
    const gate = Promise.withResolvers<void>();
    worker.follow(async () => {
      await gate.promise;
      return found();
    });
    const body = '{"url":"https://example.com/"}';
    const head = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answered = sendRaw(gateway.port, head + body, bytes);
    await eventually(() => expect(worker.commands).toHaveLength(1));
    gate.resolve();
    const { text } = await answered;
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => each)).toEqual(['200', status]);
    expect(worker.cancellations).toEqual([]);
    await worker.stop();
  });
});

describe('a slow client', () => {
  it('is disconnected when its headers do not arrive', async () => {
    const { status, error } = await sendRaw(impatient.port, 'GET / HTTP/1.1\r\nHost: x\r\n');
    expect([status, error.code, error.source]).toEqual([408, 'TIMEOUT', 'api']);
  });

  it('is disconnected when it sends byte by byte', async () => {
    const socket = connect(impatient.port, '127.0.0.1').on('error', () => {});
    const closed = once(socket.resume(), 'close');
    const dripping = new AbortController();
    void drip(socket, dripping.signal);
    await closed;
    dripping.abort();
    expect(socket.destroyed).toBe(true);
  });

  it('is disconnected when its body stops', async () => {
    const head = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    const { status, error } = await sendRaw(impatient.port, head, '{"url"');
    expect([status, error.code]).toEqual([408, 'TIMEOUT']);
  });

  it('that continues to send a rejected body is disconnected after one response', async () => {
    const head = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    // It has time to read the body, and waits no longer for the rest of it.
    const { port } = await bed.startGateway({ HEADERS_TIMEOUT_MS: '20000', REQUEST_TIMEOUT_MS: '20000' });
    const { text, error } = await sendRaw(port, head, `200000\r\n${'x'.repeat(0x200000)}`);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is disconnected when it does not read its responses', async () => {
    const socket = connect(impatient.port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((done) => socket.pause().once('close', done));
    const asking = new AbortController();
    void askOnAndOn(socket, asking.signal);
    await closed;
    asking.abort();
    expect(socket.destroyed).toBe(true);
  });

  it('that connects and sends nothing gets 408', async () => {
    const { status, error } = await sendRaw(impatient.port);
    expect([status, error.code]).toEqual([408, 'TIMEOUT']);
  });

  it('may send another request on the same connection until that is idle for too long', async () => {
    const { port } = await bed.startGateway({ KEEP_ALIVE_TIMEOUT_MS: '200' });
    const { text } = await sendRaw(
      port,
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});

/** Fills every buffer on the way back, then goes on, so that the end of the connection is noticed. */
async function askOnAndOn(socket: NodeJS.WritableStream, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    await sleep(20);
  }
}

async function drip(socket: NodeJS.WritableStream, signal: AbortSignal): Promise<void> {
  for (const character of `GET / HTTP/1.1\r\nHost: ${'x'.repeat(1000)}`) {
    if (signal.aborted) return;
    socket.write(character);
    await sleep(20);
  }
}
