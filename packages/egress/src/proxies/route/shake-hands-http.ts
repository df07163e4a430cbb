import { request as openRequest } from 'node:http';
import { codeOf } from '../../errors.ts';
import type { ProxyCredentials } from '../config/proxy.ts';
import { type Handshake, HandshakeError } from './handshake.ts';
import type { ProxyErrorKind } from './proxy-error.ts';

const MAX_HEADER_BYTES = 16_384;

/** Asks an http or https proxy for a tunnel (CONNECT, RFC 9110 section 9.3.6), with Basic credentials (RFC 7617). */
export const shakeHandsHttp: Handshake = (socket, { destination, credentials }) => {
  const { host, port } = destination;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const request = openRequest({
      method: 'CONNECT',
      path: authority,
      setDefaultHeaders: false,
      headers: {
        Host: authority,
        'Proxy-Connection': 'Keep-Alive',
        ...(credentials && { 'Proxy-Authorization': basic(credentials) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      createConnection: () => socket,
    });
    request.on('error', (error) => reject(explain(error)));
    request.once('connect', ({ statusCode = 0 }, _socket, head) => {
      const kind = errorOf(statusCode);
      if (kind) return void reject(new HandshakeError(kind, `status ${statusCode}`));
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    request.end();
  });
};

function basic({ username, password }: ProxyCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function errorOf(statusCode: number): ProxyErrorKind | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode === 407 || statusCode === 401) return 'PROXY_CREDENTIALS';
  return statusCode >= 500 ? 'PROXY_NO_CONNECTION' : 'PROXY_REFUSED';
}

/** Translates codes of node and llhttp; returns any other error with which the socket was destroyed unchanged. */
function explain(error: Error): Error {
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return new HandshakeError('PROXY_PROTOCOL');
  return /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/.test(code) ? new HandshakeError('PROXY_CLOSED') : error;
}
