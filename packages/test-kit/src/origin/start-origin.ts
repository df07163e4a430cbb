import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from '../create-certificate.ts';
import type { Behavior, Exchange, OriginRoute, Responder } from './behavior.ts';
import { findRoute } from './find-route.ts';

/** A request as the origin saw it. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly path: string;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values alternately, in the order and the spelling in which they arrived. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The client's port: the same for requests that shared a connection. */
  readonly remotePort: number | undefined;
  readonly receivedAt: Date;
}

/** A running site. */
export interface Origin extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Connections accepted so far, including those without a request. */
  readonly connectionCount: number;
  /** Returns the requests for one path, with any query. */
  requestsTo(path: string): LoggedRequest[];
  close(): Promise<void>;
}

/** Address and protocol of the site. */
export interface OriginOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Serves https with this certificate. */
  readonly certificate?: Certificate;
  /** Offers h2 as well as http/1.1; needs a certificate. */
  readonly http2?: boolean;
  /** Routes of this site, matched before the route table. */
  readonly routes?: readonly OriginRoute[];
}

/** High enough that the client's limit on headers applies, and never the origin's. */
const MAX_HEADER_BYTES = 1_048_576;

/** Starts a site with its own routes and every route of the route table. */
export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const { host = '127.0.0.1', port = 0, certificate, routes = [] } = options;
  const site: Site = { routes, requests: [], visits: new Map(), connections: new Map() };
  const { requests, connections } = site;
  let connectionCount = 0;

  const server = createListener(
    options,
    (request, response) => void serve(request, response, site).catch(() => {}),
  );
  // Never: a process that is occupied for long would reuse a connection that is being closed.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    const { remotePort } = socket;
    connections.set(remotePort, socket);
    socket.on('error', () => {}).once('close', () => connections.delete(remotePort));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: openedPort } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of connections.values()) socket.destroy();
    await closed;
  }

  return {
    url: `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${openedPort}`,
    host,
    port: openedPort,
    requests,
    get connectionCount() {
      return connectionCount;
    },
    requestsTo: (path) => requests.filter((request) => request.path === path),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** State of a running site. */
interface Site {
  readonly routes: readonly OriginRoute[];
  readonly requests: LoggedRequest[];
  /** Number of requests by method and URL. */
  readonly visits: Map<string, number>;
  /** Open TCP connections by the client's port. */
  readonly connections: Map<number | undefined, Socket>;
}

async function serve(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  { routes, requests, visits, connections }: Site,
): Promise<void> {
  response.on('error', () => {});
  const connection = connections.get(request.socket.remotePort);
  const wire = 'stream' in response && response.stream ? response.stream : request.socket;
  const logged = await logRequest(request).catch(() => undefined);
  if (!logged || !connection) return;
  requests.push(logged);
  const key = `${logged.method} ${logged.url}`;
  const visit = (visits.get(key) ?? 0) + 1;
  visits.set(key, visit);
  const { behavior, params } = findRoute(logged.path, logged.httpVersion, routes);
  const query = new URL(logged.url, 'http://origin').searchParams;
  await answer(behavior, {
    request,
    response: response as Responder,
    wire,
    connection,
    params,
    query,
    body: logged.body,
    visit,
  });
}

/** Answers 500 with the reason where a behavior knows no answer, so that no client waits for one. */
async function answer(behavior: Behavior, exchange: Exchange): Promise<void> {
  try {
    await behavior(exchange);
  } catch (error) {
    exchange.response.writeHead(500, { 'content-type': 'text/plain' });
    exchange.response.end(String(error));
  }
}

type Listener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

function createListener({ certificate, http2 = false }: OriginOptions, onRequest: Listener): Server {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES };
  if (!certificate) return createServer(limits, onRequest);
  if (!http2) return createHttpsServer({ ...certificate, ...limits }, onRequest);
  const server = createSecureServer(
    { ...certificate, allowHTTP1: true, maxSendHeaderBlockLength: MAX_HEADER_BYTES },
    onRequest,
  );
  server.on('sessionError', () => {});
  return server as unknown as Server;
}

async function logRequest(request: IncomingMessage | Http2ServerRequest): Promise<LoggedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = request.url ?? '/';
  return {
    method: request.method ?? 'GET',
    url,
    path: new URL(url, 'http://origin').pathname,
    httpVersion: request.httpVersion,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: Buffer.concat(chunks),
    remotePort: request.socket.remotePort,
    receivedAt: new Date(),
  };
}
