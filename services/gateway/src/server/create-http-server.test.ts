import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createLogger } from '@gleaner/service-kit';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connections } from './connections.ts';
import { closeGracefully, createHttpServer } from './create-http-server.ts';

const GARBAGE = 'garbage\r\n\r\n';
const TUNNEL = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';
/** Far less than the server waits for its clients. */
const PATIENCE_MS = 120_000;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

let server: Server;
let connections: Connections;
let clients: Socket[];
/** Requests that arrived and the ends of their responses, in order. */
let heard: string[];
const lines: string[] = [];
const stream = { write: (line: string) => void lines.push(line) };
const logger = createLogger({ service: 'gateway', level: 'info', format: 'json', stream });
/** Opens to send the responses that wait for it. */
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  clients = [];
  lines.length = 0;
  heard = [];
  gate = Promise.withResolvers();
  await start();
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await closeGracefully(server, connections, AbortSignal.abort());
});

/** Starts the server; refused clients keep their connections for `lingerMs`. */
async function start(lingerMs?: number): Promise<void> {
  connections = new Connections();
  const timeouts = { headersTimeoutMs: 600_000, requestTimeoutMs: 600_000, keepAliveTimeoutMs: 600_000 };
  server = createHttpServer({ app, timeouts, maxConnections: 100, connections, logger, lingerMs });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

const app: RequestListener = (request, response) => void answer(request, response);

async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  heard.push(`asked ${url}`);
  response.once('close', () => heard.push(`${response.writableFinished ? 'answered' : 'left'} ${url}`));
  if (url.startsWith('/begun')) response.write('begun');
  if (!url.startsWith('/at-once')) await gate.promise;
  response.end(`the answer to ${url}`);
}

/** A client that never closes its side; `text` is the data read so far. */
async function open(...parts: string[]) {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8');
  clients.push(socket);
  const client = { socket, text: '', hasEnded: false };
  socket.on('error', () => {});
  socket.on('end', () => {
    client.hasEnded = true;
  });
  socket.on('data', (chunk: string) => {
    client.text += chunk;
  });
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  return client;
}

const openConnections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe('a connection that is refused', () => {
  it.each([
    ['garbage', GARBAGE],
    ['a tunnel', TUNNEL],
    ['garbage after an answer', get('/at-once') + GARBAGE],
    ['a tunnel after an answer', get('/at-once') + TUNNEL],
  ])('is gone soon, though its client keeps its side open: %s', async (_, bytes) => {
    const client = await open(bytes);
    await eventually(() => expect(client.hasEnded).toBe(true));
    await eventually(async () => expect(await openConnections()).toBe(0));
    expect(client.socket.writable).toBe(true);
  });

  it.each([GARBAGE, TUNNEL])('can be read to the end by a client that goes on sending: %j', async (bytes) => {
    const client = await open(bytes);
    await eventually(() => {
      client.socket.write('and more of it\r\n');
      expect(client.hasEnded).toBe(true);
    });
    expect(client.text).toContain('"success":false');
    expect(statusesIn(client.text)).toHaveLength(1);
  });

  it.each([
    ['400', 'INVALID_REQUEST', GARBAGE],
    ['405', 'METHOD_NOT_ALLOWED', TUNNEL],
  ])('is one line in the log, by which its answer can be found: %s %s', async (status, code, bytes) => {
    const client = await open(bytes + GARBAGE);
    client.socket.write(GARBAGE);
    await eventually(() => expect(client.hasEnded).toBe(true));
    const { error } = JSON.parse(client.text.slice(client.text.indexOf('{')));
    const { requestId, message: reason } = error;
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', requestId, status: Number(status), code, reason },
    ]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['garbage', GARBAGE, '400'],
    ['a tunnel', TUNNEL, '405'],
  ])('is refused after the answers to the requests before it: %s', async (_, bytes, status) => {
    const client = await open(get('/1'), get('/begun'), bytes);
    await eventually(() => expect(heard).toEqual(['asked /1', 'asked /begun']));
    gate.resolve();
    await eventually(() => expect(client.hasEnded).toBe(true));
    expect(statusesIn(client.text)).toEqual(['200', '200', status]);
    expect(client.text.indexOf('/begun')).toBeGreaterThan(client.text.indexOf('/1'));
    expect(heard.slice(2)).toEqual(['answered /1', 'answered /begun']);
  });

  it('is answered instead of the request that it is the body of', async () => {
    const client = await open(
      get('/at-once'),
      'POST /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n',
    );
    await eventually(() => expect(client.hasEnded).toBe(true));
    expect(statusesIn(client.text)).toEqual(['200', '400']);
  });

  it('gets no second answer when the request that it is the body of has its own', async () => {
    const head = 'POST /at-once HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const client = await open(head);
    await eventually(() => expect(heard).toContain('answered /at-once'));
    client.socket.write('no chunk\r\n');
    await eventually(() => expect(client.hasEnded).toBe(true));
    expect(statusesIn(client.text)).toEqual(['200']);
  });

  it.each([GARBAGE, TUNNEL])('leaves no call behind when its client goes away: %j', async (bytes) => {
    const client = await open(get('/1'), get('/2'), bytes);
    await eventually(() => expect(heard).toEqual(['asked /1', 'asked /2']));
    client.socket.destroy();
    await eventually(() => expect(heard.toSorted().slice(2)).toEqual(['left /1', 'left /2']));
    expect(connections.callsInFlight).toBe(0);
  });
});

describe('a server that closes', () => {
  it.each([
    { state: 'refused', bytes: GARBAGE, isAnswered: true },
    { state: 'refused a tunnel', bytes: TUNNEL, isAnswered: true },
    { state: 'idle', bytes: get('/at-once'), isAnswered: true },
    { state: 'silent', bytes: '', isAnswered: false },
    { state: 'stuck in its headers', bytes: 'GET / HTTP/1.1\r\nHo', isAnswered: false },
  ])('waits for no connection without a call: one that is $state', async ({ bytes, isAnswered }) => {
    await closeGracefully(server, connections, AbortSignal.abort());
    await start(600_000);
    const client = await open(bytes);
    await eventually(async () => {
      expect([await openConnections(), client.text !== '']).toEqual([1, isAnswered]);
    });
    const patience = AbortSignal.timeout(PATIENCE_MS);
    await closeGracefully(server, connections, patience);
    expect(patience.aborted).toBe(false);
  });

  it('answers a request that is on its way, and ends its connection', async () => {
    const client = await open('GET /at-once HTTP/1.1\r\n');
    await eventually(async () => expect(await openConnections()).toBe(1));
    const closed = closeGracefully(server, connections, AbortSignal.timeout(PATIENCE_MS));
    client.socket.write('Host: x\r\n\r\n');
    await closed;
    await eventually(() => expect(client.hasEnded).toBe(true));
    expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/);
  });

  it('sends every answer of a connection, and ends it with the last', async () => {
    const client = await open(get('/1'), get('/begun'));
    await eventually(() => expect(heard).toHaveLength(2));
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const closed = closeGracefully(server, connections, patience);
    gate.resolve();
    await closed;
    await eventually(() => expect(client.hasEnded).toBe(true));
    expect([patience.aborted, statusesIn(client.text)]).toEqual([false, ['200', '200']]);
  });
});
