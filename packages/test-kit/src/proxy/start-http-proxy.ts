import { Server } from 'proxy-chain';
import type { Certificate } from '../tls/create-certificate.ts';
import { type AskedTunnel, type Credentials, proxyUrl, type TestProxy } from './test-proxy.ts';

/** What the proxy is like. */
export interface HttpProxyOptions {
  /** Serves https with it. */
  readonly certificate?: Certificate;
  /** What it wants to hear; everybody may use it unless given. */
  readonly credentials?: Credentials;
  /** Default any free one. */
  readonly port?: number;
  /** Where targets see it come from; the machine's choice unless given. */
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
  // What its clients and their targets do wrong is for the test to see, not for the log.
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
