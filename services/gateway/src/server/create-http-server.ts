import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError, afterSilence, LIMITS, ROUTES } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Connections } from './connections.ts';
import { type ConnectionError, describeConnectionError, type Rejection, Rejections } from './rejections.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { createServer } = process.getBuiltinModule('node:http');

/** Times that the server waits for its clients, in milliseconds. */
export interface ClientTimeouts {
  /** For the header section of a request. */
  readonly headersTimeoutMs: number;
  /** For a whole request, and for a client to read the next part of a response that is ready. */
  readonly requestTimeoutMs: number;
  /** For the next request on a connection that is kept alive. */
  readonly keepAliveTimeoutMs: number;
}

/** Collaborators and bounds of the server. */
export interface HttpServerDeps {
  readonly app: RequestListener;
  readonly timeouts: ClientTimeouts;
  readonly maxConnections: number;
  readonly connections: Connections;
  readonly logger: Logger;
  /** Takes requests to upgrade that it knows; others are answered as if they had not asked for it. */
  readonly upgrades?: Upgrades | undefined;
  /** Time in milliseconds for a client that is refused to read why. Default 1000. */
  readonly lingerMs?: number | undefined;
}

/** Connections that are upgraded. */
export interface Upgrades {
  readonly knows: (request: IncomingMessage) => boolean;
  readonly take: (request: IncomingMessage, socket: Duplex) => void;
}

const MAX_HEADER_BYTES = 16 * 1024;
const TCP_PROBE_AFTER_MS = 30_000;

/** Creates the HTTP server around the app: every wait for a client is bounded, and malformed requests get our error body too. */
export function createHttpServer({
  app,
  timeouts,
  maxConnections,
  connections,
  logger,
  upgrades,
  lingerMs,
}: HttpServerDeps): Server {
  const server = createServer({
    ...optionsFor(timeouts),
    ...(upgrades && { shouldUpgradeCallback: upgrades.knows }),
  });
  if (upgrades) server.on('upgrade', upgrades.take);
  server.maxConnections = maxConnections;
  server.on('drop', warnOncePerMinute(logger, maxConnections));
  // A client that is silent for longer has stalled or disconnected.
  server.timeout = LIMITS.maxTimeoutMs + timeouts.requestTimeoutMs;
  server.on('connection', (socket) => connections.add(socket));
  const onRequest: RequestListener = (request, response) => {
    connections.addCall(response);
    // A client that does not read keeps the whole response in memory.
    response.once('prefinish', () => response.setTimeout(timeouts.requestTimeoutMs));
    app(request, response);
  };
  server.on('request', onRequest);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', onRequest);
  const rejections = new Rejections({ connections, logger, lingerMs });
  server.on('connect', ({ socket }) => {
    watchDetached(socket);
    rejections.reject(socket, noTunnels());
  });
  server.on('clientError', (error: ConnectionError, socket: Socket) => {
    rejections.reject(socket, { error: describeConnectionError(error) });
  });
  return server;
}

const WARNING_INTERVAL_MS = 60_000;

function warnOncePerMinute(logger: Logger, maxConnections: number): () => void {
  let warnedMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - warnedMs < WARNING_INTERVAL_MS) return;
    warnedMs = performance.now();
    logger.warn({ maxConnections }, 'Connections are closed because MAX_CONNECTIONS is reached.');
  };
}

/** Drains the socket of a CONNECT request, times it out and ends it: Node detaches it from the server. */
function watchDetached(socket: Socket): void {
  socket.on('error', () => {});
  socket.once('timeout', () => socket.destroy());
  socket.once('end', () => socket.end());
  socket.resume();
}

function optionsFor({ headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: ClientTimeouts) {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5000, headersTimeoutMs / 2),
    keepAlive: true,
    keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
    // Node answers a missing Host without a body; our own check sends one.
    requireHostHeader: false,
  };
}

/** A CONNECT request has no path, so Allow lists the methods of all paths. */
function noTunnels(): Rejection {
  const methods = new Set(Object.values(ROUTES).map(({ method }) => method.toUpperCase()));
  return {
    error: new AppError('METHOD_NOT_ALLOWED', {
      message: 'CONNECT is not supported: this server is not a proxy.',
      suggestion: 'Send the request itself; all routes are listed at /docs.',
    }),
    headers: [['Allow', [...methods, 'HEAD', 'OPTIONS'].join(', ')]],
  };
}

/** Time for requests that are already on their way to arrive. */
const GRACE_MS = 1000;

/** Stops accepting connections, lets every call finish, and closes what is left when the signal aborts. */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  signal: AbortSignal,
): Promise<void> {
  const closed = once(server, 'close');
  const cut = () => connections.cut();
  signal.addEventListener('abort', cut, { once: true });
  // The `close` of HTTP servers resets connections whose first request has arrived but is not read yet.
  TcpServer.prototype.close.call(server);
  connections.beginClosing();
  const stopWaiting = afterSilence(GRACE_MS, () => connections.cutIdle());
  if (signal.aborted) cut();
  await closed;
  stopWaiting();
  signal.removeEventListener('abort', cut);
}
