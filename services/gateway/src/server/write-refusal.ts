import { STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { type AppError, ERROR_TABLE, toErrorEnvelope } from '@gleaner/contracts';
import { SECURITY_HEADERS } from '../middleware/set-security-headers.ts';

/** Why a connection is refused. */
export interface Refusal {
  readonly error: AppError;
  /** Go with the answer, beside those that every answer has. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** Writes a whole answer with the documented envelope to a connection that has no request to answer. */
export function writeRefusal(socket: Writable, requestId: string, { error, headers = [] }: Refusal): void {
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
