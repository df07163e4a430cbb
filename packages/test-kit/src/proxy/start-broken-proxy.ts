import type { Socket } from 'node:net';
import { serveOnLoopback } from './serve-on-loopback.ts';
import { proxyUrl } from './test-proxy.ts';

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/** Ways in which a proxy can fail after it has received a request. */
const FAILURES = {
  closes: (client) => client.destroy(),
  'answers nonsense': (client) => client.end('what? \u0000\u0001\r\n\r\n'),
  'answers without end': (client) => {
    client.write(`HTTP/1.1 200 OK\r\n${'X-More: of the same\r\n'.repeat(100_000)}`);
  },
  'refuses with 403': (client) => client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
  'fails with 502': (client) => client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
  'closes its tunnels': (client) => {
    client.write(ESTABLISHED);
    client.once('data', () => client.destroy());
  },
  'says nothing': () => {},
} as const satisfies Readonly<Record<string, (client: Socket) => void>>;

/** Names of the ways in which a proxy can fail. */
export type ProxyFailure = keyof typeof FAILURES;

/** A proxy that accepts requests and fails. */
export interface BrokenProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Connections so far. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

/** Starts a proxy that fails at every request, in any protocol. */
export async function startBrokenProxy(failure: ProxyFailure): Promise<BrokenProxy> {
  let connectionCount = 0;
  const { port, close } = await serveOnLoopback(0, (client) => {
    connectionCount += 1;
    client.once('data', () => FAILURES[failure](client));
  });
  return {
    url: proxyUrl('http', port),
    port,
    get connectionCount() {
      return connectionCount;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
