import { connect, type Socket } from 'node:net';
import { serveOnLoopback } from './serve-on-loopback.ts';
import { type AskedTunnel, type Credentials, proxyUrl, type TestProxy } from './test-proxy.ts';

/** Options of a test proxy. */
export interface SocksProxyOptions {
  /** Required credentials; without them every client may use the proxy. */
  readonly credentials?: Credentials;
  /** Answers every request with this reply code instead of connecting (RFC 1928 section 6). */
  readonly reply?: number;
  /** Default: any free port. */
  readonly port?: number;
}

const NO_METHOD = 0;
const PASSWORD_METHOD = 2;
const NONE_ACCEPTABLE = 0xff;
const CONNECTION_REFUSED = 5;

/** Returns the next bytes of a connection, exactly as many as requested. */
type Take = (size: number) => Promise<Buffer>;

/** Starts a SOCKS5 proxy (RFC 1928, RFC 1929) that supports CONNECT. */
export async function startSocksProxy(options: SocksProxyOptions = {}): Promise<TestProxy> {
  const { credentials } = options;
  const tunnels: AskedTunnel[] = [];
  const server = await serveOnLoopback(options.port ?? 0, (client) => {
    serve(client, options, tunnels).catch(() => client.destroy());
  });
  return {
    url: proxyUrl('socks5', server.port, credentials),
    port: server.port,
    tunnels,
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

async function serve(
  client: Socket,
  { credentials, reply }: SocksProxyOptions,
  tunnels: AskedTunnel[],
): Promise<void> {
  const take = takeFrom(client);
  const said = await authenticate(client, take, credentials);
  if (!said) return void client.end();
  const target = await readTarget(take);
  tunnels.push({ ...target, ...said });
  if (reply !== undefined) return void client.end(replyOf(reply));
  const upstream = connect(target);
  for (const end of [client, upstream]) {
    end.on('close', () => {
      client.destroy();
      upstream.destroy();
    });
  }
  upstream.on('error', () => client.end(replyOf(CONNECTION_REFUSED)));
  upstream.once('connect', () => {
    client.write(replyOf(0));
    client.pipe(upstream).pipe(client);
  });
}

/** Reads the client's credentials; returns undefined when they are not sufficient. */
async function authenticate(
  client: Socket,
  take: Take,
  wanted: Credentials | undefined,
): Promise<Credentials | undefined> {
  const [, count = 0] = await take(2);
  const methods = await take(count);
  const method = wanted ? PASSWORD_METHOD : NO_METHOD;
  const isOffered = methods.includes(method);
  client.write(Buffer.from([5, isOffered ? method : NONE_ACCEPTABLE]));
  if (!isOffered) return undefined;
  if (!wanted) return { username: '', password: '' };
  await take(1);
  const username = await takeText(take);
  const password = await takeText(take);
  const isRight = username === wanted.username && password === wanted.password;
  client.write(Buffer.from([1, isRight ? 0 : 1]));
  return isRight ? { username, password } : undefined;
}

async function readTarget(take: Take): Promise<{ host: string; port: number }> {
  const [, , , addressType] = await take(4);
  const host = await readHost(take, addressType ?? 0);
  return { host, port: (await take(2)).readUInt16BE() };
}

async function readHost(take: Take, addressType: number): Promise<string> {
  if (addressType === 1) return [...(await take(4))].join('.');
  if (addressType === 3) return await takeText(take);
  const bytes = await take(16);
  const groups = Array.from({ length: 8 }, (_group, index) => bytes.readUInt16BE(index * 2).toString(16));
  return groups.join(':');
}

async function takeText(take: Take): Promise<string> {
  const [size = 0] = await take(1);
  return (await take(size)).toString();
}

function replyOf(reply: number): Buffer {
  return Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
}

function takeFrom(client: Socket): Take {
  return async (size) => {
    for (;;) {
      const bytes: Buffer | null = size === 0 ? Buffer.alloc(0) : client.read(size);
      if (bytes?.length === size) return bytes;
      if (client.readableEnded || client.destroyed) throw new Error('The client has gone.');
      await new Promise<void>((resolve) => client.once('readable', resolve).once('close', resolve));
    }
  };
}
