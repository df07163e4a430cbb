import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Target } from '../../route/route.ts';
import type { ProxyCredentials } from '../config/proxy.ts';
import { type Handshake, HandshakeError, readExactly } from './handshake.ts';
import type { ProxyErrorKind } from './proxy-error.ts';

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
