import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '@gleaner/contracts';
import { createLookup } from '../dns/create-lookup.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { blameOf } from '../proxies/proxy-fault.ts';
import { createDirectRoute } from '../route/create-direct-route.ts';
import type { Route } from '../route/route.ts';
import { createKeepAliveAgents } from '../transport/keep-alive-agents.ts';
import { createFailureLog } from './failure-log.ts';
import { forwardRequest } from './forward-request.ts';
import { openTunnel } from './open-tunnel.ts';
import type { ProxyScope } from './proxy-scope.ts';

/** What the proxies of one process share: the policy, and the way out that remembers resolved names. */
export interface ProxyServerDeps {
  readonly policy: EgressPolicy;
  /** Straight to the target unless given. */
  readonly route?: Route;
}

/** What one proxy may let through, and by which way. */
export interface ProxyServerOptions {
  /** Bytes that targets send, all connections together. */
  readonly maxBytes: number;
  /** The way out, through a proxy of another for one; the starter's own unless given. */
  readonly route?: Route | undefined;
}

/** A filtering forward proxy on loopback, for whoever was told its port. */
export interface ProxyServer {
  readonly port: number;
  /** Aborted, with UNSUPPORTED_CONTENT, when more than the limit came in; everything is cut then. */
  readonly exhausted: AbortSignal;
  /** Aborted, with PROXY_ERROR, when the way out itself failed, whatever the target: what a client got may lack something. */
  readonly routeFailed: AbortSignal;
  /** Bytes that targets have sent so far. */
  readonly receivedBytes: number;
  /** Why the target of a URL could not be reached the last time, or was refused. */
  failureOf(url: string): AppError | undefined;
  /** Cuts all connections. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 65_536;

/**
 * Builds a starter of proxies (RFC 9110 section 9.3.6 CONNECT, and requests in absolute form). What they connect to has
 * passed the policy by URL and by address, so a client that knows no other way out is held to the policy.
 */
export function createProxyStarter(
  deps: ProxyServerDeps,
): (options: ProxyServerOptions) => Promise<ProxyServer> {
  const { policy } = deps;
  const ownRoute = deps.route ?? createDirectRoute({ policy, lookup: createLookup({ policy }) });
  return ({ maxBytes, route = ownRoute }) => startProxyServer({ policy, route }, maxBytes);
}

async function startProxyServer(
  { policy, route }: Required<ProxyServerDeps>,
  maxBytes: number,
): Promise<ProxyServer> {
  const exhausted = new AbortController();
  const closed = new AbortController();
  const { agents, sockets } = { agents: createKeepAliveAgents(), sockets: new Set<Socket>() };
  const routeFailed = new AbortController();
  const failures = createFailureLog((failure) => {
    if (blameOf(failure) === 'proxy') routeFailed.abort(failure);
  });
  let receivedBytes = 0;

  const scope: ProxyScope = {
    ...{ policy, route, agents, failures },
    signal: AbortSignal.any([closed.signal, exhausted.signal]),
    count(bytes) {
      receivedBytes += bytes;
      if (receivedBytes > maxBytes) exhausted.abort(tooManyBytes(maxBytes));
    },
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
    forwardRequest(request, response, scope),
  );
  server.on('connect', (request, client: Socket, head) => openTunnel(request, client, head, scope));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', ignore).once('close', () => sockets.delete(socket)));
  });
  scope.signal.addEventListener('abort', () => {
    for (const socket of sockets) socket.destroy();
    agents.http.destroy();
  });
  const port = await listenOnLoopback(server);

  return {
    port,
    exhausted: exhausted.signal,
    routeFailed: routeFailed.signal,
    get receivedBytes() {
      return receivedBytes;
    },
    failureOf: failures.of,
    close() {
      closed.abort(new Error('The proxy was closed.'));
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function tooManyBytes(maxBytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The page and what it loads are over ${Math.floor(maxBytes / 1_048_576)} MiB.`,
    suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
  });
}

/** The client hangs up whenever it likes; there is nobody to tell. */
function ignore(): void {}
