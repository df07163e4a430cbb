import { Server } from 'proxy-chain';
import type { Certificate } from '../create-certificate.ts';
import { type AskedTunnel, type Credentials, proxyUrl, type TestProxy } from './test-proxy.ts';

/** Options of a test proxy. */
export interface HttpProxyOptions {
  /** Serves https with this certificate. */
  readonly certificate?: Certificate;
  /** Required credentials; without them every client may use the proxy. */
  readonly credentials?: Credentials;
  /** Default: any free port. */
  readonly port?: number;
  /** Local address of its connections to targets; by default the system chooses. */
  readonly localAddress?: string;
}

/** Starts a forward proxy that speaks HTTP. */
export async function startHttpProxy(options: HttpProxyOptions = {}): Promise<TestProxy> {
  const { certificate, credentials, localAddress } = options;
  const tunnels: AskedTunnel[] = [];
  const server = new Server({
    host: '127.0.0.1',
    port: options.port ?? 0,
    ...(certificate ? { serverType: 'https', httpsOptions: certificate } : { serverType: 'http' }),
    prepareRequestFunction({ hostname: host, port, username, password }) {
      tunnels.push({ host, port, username, password });
      const isKnown = username === credentials?.username && password === credentials.password;
      return {
        requestAuthentication: credentials !== undefined && !isKnown,
        ...(localAddress && { localAddress }),
      };
    },
  });
  // Tests see errors of clients and targets in the responses; they need not be logged.
  server.on('requestFailed', () => {}).on('tlsError', () => {});
  await server.listen();
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await server.close(true);
  };
  return {
    url: proxyUrl(certificate ? 'https' : 'http', server.port, credentials),
    port: server.port,
    tunnels,
    close,
    [Symbol.asyncDispose]: close,
  };
}
