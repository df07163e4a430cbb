import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, LIMITS, ROUTES } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Connections } from './connections.ts';
import { type ConnectionFault, describeFault } from './describe-fault.ts';
import { Refusals } from './refusals.ts';
import type { Refusal } from './write-refusal.ts';

/** How long the server waits for its clients, in milliseconds. */
export interface Patience {
  /** For the header section of a request. */
  readonly headersTimeoutMs: number;
  /** For a request to arrive whole, and for the next part of an answer to be taken that is ready. */
  readonly requestTimeoutMs: number;
  /** For the next request on a connection that is kept alive. */
  readonly keepAliveTimeoutMs: number;
}

/** Collaborators of the server. */
export interface HttpServerDeps {
  readonly app: RequestListener;
  readonly patience: Patience;
  readonly connections: Connections;
  readonly logger: Logger;
}

const MAX_HEADER_BYTES = 16 * 1024;
const TCP_PROBE_AFTER_MS = 30_000;

/** The HTTP server around the app: every wait on a client is bounded, and what is not HTTP gets our envelope too. */
export function createHttpServer({ app, patience, connections, logger }: HttpServerDeps): Server {
  const server = createServer(optionsFor(patience));
  // No healthy call is silent for longer; who is has stopped reading, or is gone.
  server.timeout = LIMITS.maxTimeoutMs + patience.requestTimeoutMs;
  server.on('connection', (socket) => connections.add(socket));
  const onRequest: RequestListener = (request, response) => {
    connections.addCall(response);
    // The whole answer waits in memory for a client that does not read it.
    response.once('prefinish', () => response.setTimeout(patience.requestTimeoutMs));
    app(request, response);
  };
  server.on('request', onRequest);
  // An expectation that we do not know may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', onRequest);
  const refusals = new Refusals({ connections, logger });
  server.on('connect', ({ socket }) => {
    keepWatch(socket);
    refusals.refuse(socket, noTunnels());
  });
  server.on('clientError', (fault: ConnectionFault, socket: Socket) => {
    refusals.refuse(socket, { error: describeFault(fault) });
  });
  return server;
}

/** Of a connection that asked for a tunnel Node lets go entirely: nobody else reads it, times it out or hears it end. */
function keepWatch(socket: Socket): void {
  socket.on('error', () => {});
  socket.once('timeout', () => socket.destroy());
  socket.once('end', () => socket.end());
  socket.resume();
}

function optionsFor({ headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: Patience) {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs / 2),
    keepAlive: true,
    keepAliveInitialDelay: TCP_PROBE_AFTER_MS,
    // Node's own answer to a missing Host has no body; our check has one.
    requireHostHeader: false,
  };
}

/** What asks for a tunnel has no path, so it is told what any path may take. */
function noTunnels(): Refusal {
  const methods = new Set(Object.values(ROUTES).map(({ method }) => method.toUpperCase()));
  return {
    error: new AppError('METHOD_NOT_ALLOWED', {
      message: 'CONNECT is for proxies, and this is none.',
      suggestion: 'Send the request itself; all routes are listed at /docs.',
    }),
    headers: [['Allow', [...methods, 'HEAD', 'OPTIONS'].join(', ')]],
  };
}
