import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { AppError, createId, ERROR_TABLE, toErrorEnvelope } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import { SECURITY_HEADERS } from '../middleware/set-security-headers.ts';
import type { Connections } from './connections.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Error that ends a connection. */
export interface Rejection {
  readonly error: AppError;
  /** Headers besides those of every response. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

interface RejectionsDeps {
  readonly connections: Connections;
  readonly logger: Logger;
  /** Time for a client to read the error; closing while bytes of the client are unread would discard it. Default 1000. */
  readonly lingerMs?: number | undefined;
}

const LINGER_MS = 1000;

/** Rejects malformed requests: after the responses to earlier requests, once per connection, which it then closes. */
export class Rejections {
  readonly #deps: RejectionsDeps;
  readonly #rejected = new WeakSet<Socket>();

  constructor(deps: RejectionsDeps) {
    this.#deps = deps;
  }

  /** Answers the last request of a connection, after those before it, and closes the connection. */
  reject(socket: Socket, rejection: Rejection): void {
    if (this.#rejected.has(socket)) return;
    this.#rejected.add(socket);
    const { connections, lingerMs = LINGER_MS } = this.#deps;
    connections.afterAnswers(socket, () => {
      if (connections.takesError(socket)) this.#answer(socket, rejection);
      endSoon(socket, lingerMs);
    });
  }

  /** Logs one line per rejected connection, at the level of an unknown path. */
  #answer(socket: Socket, rejection: Rejection): void {
    const requestId = createId('req');
    const { code, message: reason } = rejection.error;
    const clientAddress = socket.remoteAddress;
    writeRejection(socket, requestId, rejection);
    const status = ERROR_TABLE[code].httpStatus;
    this.#deps.logger.info({ requestId, status, code, reason, clientAddress }, 'refused');
  }
}

/** Writes a whole response with the documented body to a connection that has no request to respond to. */
function writeRejection(socket: Writable, requestId: string, { error, headers = [] }: Rejection): void {
  const status = ERROR_TABLE[error.code].httpStatus;
  const body = JSON.stringify(toErrorEnvelope(error, requestId));
  const lines = [
    ...SECURITY_HEADERS,
    ...headers,
    ['Connection', 'close'],
    ['Content-Length', Buffer.byteLength(body)],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Date', new Date().toUTCString()],
    ['X-Request-Id', requestId],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function endSoon(socket: Socket, lingerMs: number): void {
  if (socket.destroyed) return;
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
  socket.end();
}

/** Error of Node's HTTP parser or of its timers; `code` is HPE_… or ERR_HTTP_…. */
export interface ConnectionError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Converts an error of the connection to the error that the client is shown. */
export function describeConnectionError({ code = '', reason }: ConnectionError): AppError {
  return ERRORS[code]?.() ?? malformed(reason);
}

const ERRORS: Record<string, () => AppError> = {
  HPE_HEADER_OVERFLOW: () =>
    new AppError('PAYLOAD_TOO_LARGE', {
      message: 'The header section is over 16 KiB.',
      suggestion: 'Send fewer or shorter headers, and a shorter URL.',
    }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new AppError('PAYLOAD_TOO_LARGE', {
      message: 'The chunk extensions are over 16 KiB.',
      suggestion: 'Send the body without chunk extensions.',
    }),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new AppError('TIMEOUT', {
      source: 'api',
      message: 'The request was not received completely in time.',
      suggestion: 'Send headers and body without pausing.',
    }),
};

function malformed(reason: string | undefined): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The request is not valid HTTP/1.1${reason ? `: ${reason}` : ''}.`,
    suggestion: 'Compare the request with the same one sent by another HTTP client.',
  });
}
