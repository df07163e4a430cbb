import { STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { type AppError, createId, ERROR_TABLE, toErrorEnvelope } from '@gleaner/contracts';

/** Writes a whole answer with the documented envelope to a connection that has no request to answer. */
export function writeRefusal(socket: Writable, error: AppError): void {
  const requestId = createId('req');
  const status = ERROR_TABLE[error.code].httpStatus;
  const body = JSON.stringify(toErrorEnvelope(error, requestId));
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
