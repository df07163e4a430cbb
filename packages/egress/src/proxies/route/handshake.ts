import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { codeOf } from '../../errors.ts';
import type { Target } from '../../route/route.ts';
import type { ProxyCredentials } from '../config/proxy.ts';
import type { ProxyErrorKind } from './proxy-error.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { request: openRequest } = process.getBuiltinModule('node:http');

/**
 * Speaks a proxy's protocol over a connection to it; when it resolves, the remote end of the socket is the destination.
 * Rejects with a HandshakeError or what the socket was destroyed with. The caller bounds it by destroying the socket.
 */
export type Handshake = (socket: Socket, request: TunnelRequest) => Promise<void>;

/** Destination and credentials of a tunnel. */
export interface TunnelRequest {
  /** The host may be a name or an address without brackets. */
  readonly destination: Target;
  readonly credentials: ProxyCredentials | undefined;
}

/** Reason why a proxy opened no tunnel; `detail` is its reply, such as `status 502`. */
export class HandshakeError extends Error {
  readonly kind: ProxyErrorKind;
  readonly detail: string | undefined;

  constructor(kind: ProxyErrorKind, detail?: string) {
    super(detail ?? kind);
    this.kind = kind;
    this.detail = detail;
  }
}

/** Reads the next bytes of a paused socket; later bytes stay in it. Rejects when the socket ends first or fails. */
export function readExactly(socket: Socket, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
    };
    const onReadable = () => {
      const bytes: Buffer | null = socket.read(size);
      if (bytes === null) return;
      settle();
      if (bytes.length === size) resolve(bytes);
      else reject(new HandshakeError('PROXY_CLOSED'));
    };
    const onEnd = () => {
      settle();
      reject(socket.errored ?? new HandshakeError('PROXY_CLOSED'));
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    socket.on('readable', onReadable).once('end', onEnd).once('close', onEnd).once('error', onError);
    if (socket.destroyed) onEnd();
    else onReadable();
  });
}

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

const VERSION = 5;
const CONNECT = 1;
const METHODS = { none: 0, password: 2, noneAcceptable: 0xff } as const;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;
const ADDRESS_BYTES: Readonly<Record<number, number>> = { [ADDRESS_TYPES.ipv4]: 4, [ADDRESS_TYPES.ipv6]: 16 };
const PORT_BYTES = 2;

/** Replies that report an error (RFC 1928 section 6). */
const REPLIES: Readonly<Record<number, readonly [kind: ProxyErrorKind, detail: string]>> = {
  1: ['PROXY_NO_CONNECTION', 'general failure'],
  2: ['PROXY_REFUSED', 'not allowed by its rules'],
  3: ['PROXY_NO_CONNECTION', 'network unreachable'],
  4: ['PROXY_NO_CONNECTION', 'host unreachable'],
  5: ['PROXY_NO_CONNECTION', 'connection refused'],
  6: ['PROXY_NO_CONNECTION', 'time to live exceeded'],
  7: ['PROXY_REFUSED', 'command not supported'],
  8: ['PROXY_REFUSED', 'address type not supported'],
};

/** Asks a SOCKS5 proxy for a connection (RFC 1928), with user name and password if it requires them (RFC 1929). */
export const shakeHandsSocks5: Handshake = async (socket, { destination, credentials }) => {
  const offered = credentials ? [METHODS.none, METHODS.password] : [METHODS.none];
  socket.write(Buffer.from([VERSION, offered.length, ...offered]));
  const [version, method] = await readExactly(socket, 2);
  if (version !== VERSION) throw new HandshakeError('PROXY_PROTOCOL');
  if (method === METHODS.password && credentials) await authenticate(socket, credentials);
  else if (method !== METHODS.none) throw new HandshakeError('PROXY_CREDENTIALS');

  socket.write(connectRequest(destination));
  const [replyVersion, reply = 1, , addressType = 0] = await readExactly(socket, 4);
  if (replyVersion !== VERSION) throw new HandshakeError('PROXY_PROTOCOL');
  if (reply !== 0) throw new HandshakeError(...(REPLIES[reply] ?? ['PROXY_REFUSED', `reply ${reply}`]));
  await skipBoundAddress(socket, addressType);
};

async function authenticate(socket: Socket, { username, password }: ProxyCredentials): Promise<void> {
  const parts = [username, password].map((part) => Buffer.from(part));
  const fields = parts.flatMap((part) => [Buffer.from([part.length]), part]);
  socket.write(Buffer.concat([Buffer.from([1]), ...fields]));
  const [, status] = await readExactly(socket, 2);
  if (status !== 0) throw new HandshakeError('PROXY_CREDENTIALS');
}

function connectRequest({ host, port }: Target): Buffer {
  return Buffer.concat([
    Buffer.from([VERSION, CONNECT, 0]),
    ...addressOf(host),
    Buffer.from([port >> 8, port & 0xff]),
  ]);
}

function addressOf(host: string): Buffer[] {
  if (!ipaddr.isValid(host)) {
    const name = Buffer.from(host);
    return [Buffer.from([ADDRESS_TYPES.name, name.length]), name];
  }
  const bytes = ipaddr.parse(host).toByteArray();
  return [Buffer.from([bytes.length === 4 ? ADDRESS_TYPES.ipv4 : ADDRESS_TYPES.ipv6, ...bytes])];
}

/** Skips the address from which the proxy connects. */
async function skipBoundAddress(socket: Socket, addressType: number): Promise<void> {
  const size =
    addressType === ADDRESS_TYPES.name
      ? ((await readExactly(socket, 1))[0] ?? 0)
      : ADDRESS_BYTES[addressType];
  if (size === undefined) throw new HandshakeError('PROXY_PROTOCOL');
  await readExactly(socket, size + PORT_BYTES);
}
