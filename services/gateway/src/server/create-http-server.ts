import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, LIMITS } from '@gleaner/contracts';
import type { CallsInFlight } from './calls-in-flight.ts';
import { type ConnectionFault, refuseBrokenRequest, refuseOn } from './refuse-broken-request.ts';

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
  readonly callsInFlight: CallsInFlight;
}

const MAX_HEADER_BYTES = 16 * 1024;
const TCP_PROBE_AFTER_MS = 30_000;

/** The HTTP server around the app: every wait on a client is bounded, and what is not HTTP gets our envelope too. */
export function createHttpServer({ app, patience, callsInFlight }: HttpServerDeps): Server {
  const server = createServer(optionsFor(patience));
  // No healthy call is silent for longer; who is has stopped reading, or is gone.
  server.timeout = LIMITS.maxTimeoutMs + patience.requestTimeoutMs;
  const onRequest: RequestListener = (request, response) => {
    callsInFlight.add(request.socket, response);
    // The whole answer waits in memory for a client that does not read it.
    response.once('prefinish', () => response.setTimeout(patience.requestTimeoutMs));
    app(request, response);
  };
  server.on('request', onRequest);
  // An expectation that we do not know may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket) => refuseOn(socket, noTunnels()));
  server.on('clientError', (fault: ConnectionFault, socket: Socket) => {
    const canAnswer = socket.writable && fault.code !== 'ECONNRESET' && callsInFlight.takesError(socket);
    if (canAnswer) refuseBrokenRequest(fault, socket);
    else socket.destroy();
  });
  return server;
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

function noTunnels(): AppError {
  return new AppError('METHOD_NOT_ALLOWED', {
    message: 'CONNECT is for proxies, and this is none.',
    suggestion: 'Send the request itself; all routes are listed at /docs.',
  });
}
