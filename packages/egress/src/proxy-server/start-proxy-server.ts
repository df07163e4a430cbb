import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AppError } from '@gleaner/contracts';
import { createKeepAliveAgents } from '../http/connections.ts';
import { type EgressPolicy, hostOf, portOf } from '../policy/create-egress-policy.ts';
import { blameOf } from '../proxies/route/proxy-error.ts';
import { createDirectRoute } from '../route/create-direct-route.ts';
import { createLookup } from '../route/create-lookup.ts';
import type { Route } from '../route/route.ts';
import { startStageClock } from '../route/stage-clock.ts';
import { createFailureLog } from './failure-log.ts';
import { forwardRequest, type ProxyScope } from './forward-request.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { createServer } = process.getBuiltinModule('node:http');

/** Dependencies that the proxies of one process share; the route caches resolved names. */
interface ProxyServerDeps {
  readonly policy: EgressPolicy;
  /** By default directly to the target. */
  readonly route?: Route;
}

interface ProxyServerOptions {
  /** Bytes received from targets, over all connections. */
  readonly maxBytes: number;
  /** Opens connections, for example through another proxy; by default the starter's own. */
  readonly route?: Route | undefined;
}

/** A filtering forward proxy on loopback. */
export interface ProxyServer {
  readonly port: number;
  /** Aborts with UNSUPPORTED_CONTENT when the limit is exceeded; all connections are closed then. */
  readonly exhausted: AbortSignal;
  /** Aborts with PROXY_ERROR when the route itself failed, independent of the target: a page may be incomplete. */
  readonly routeFailed: AbortSignal;
  /** Bytes received from targets so far. */
  readonly receivedBytes: number;
  /** Returns why the target of a URL could not be reached the last time, or was not allowed. */
  failureOf(url: string): AppError | undefined;
  /** Closes all connections and rejects new ones until `resume`: nothing that was sent before is answered later. */
  pause(): void;
  /** Accepts connections again, for another page: with all bytes left, and without earlier failures. */
  resume(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 65_536;

/**
 * Creates a function that starts proxies (RFC 9110 section 9.3.6 CONNECT, and requests in absolute form). They connect
 * only to URLs and addresses that the policy allows, so a client without another way out is held to the policy.
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
  const ended = AbortSignal.any([closed.signal, exhausted.signal]);

  const open = () => openPeriod({ policy, route, agents }, { maxBytes, ended, exhausted, routeFailed });
  let period = open();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    agents.http.destroy();
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
    forwardRequest(request, response, period.scope),
  );
  server.on('connect', (request, client: Socket, head) => {
    // Errors of the target are recorded by openTunnel; any other error closes only this connection.
    openTunnel(request, client, head, period.scope).catch(() => client.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', ignore).once('close', () => sockets.delete(socket)));
    if (period.paused.signal.aborted) socket.destroy();
  });
  ended.addEventListener('abort', cut);
  const port = await listenOnLoopback(server);

  return {
    port,
    exhausted: exhausted.signal,
    routeFailed: routeFailed.signal,
    get receivedBytes() {
      return period.received();
    },
    failureOf: (url) => period.failures.failureOf(url),
    pause() {
      period.paused.abort(new Error('The proxy is paused.'));
      cut();
    },
    resume() {
      period = open();
    },
    close() {
      closed.abort(new Error('The proxy was closed.'));
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Limit of a proxy, and the signals of its end. */
interface ProxyEnds {
  readonly maxBytes: number;
  readonly ended: AbortSignal;
  readonly exhausted: AbortController;
  readonly routeFailed: AbortController;
}

/** Begins to accept connections for a page. */
function openPeriod(
  shared: Pick<ProxyScope, 'policy' | 'route' | 'agents'>,
  { maxBytes, ended, exhausted, routeFailed }: ProxyEnds,
) {
  const paused = new AbortController();
  const failures = createFailureLog((failure) => {
    if (blameOf(failure) === 'proxy') routeFailed.abort(failure);
  });
  let receivedBytes = 0;
  const scope: ProxyScope = {
    ...shared,
    failures,
    signal: AbortSignal.any([ended, paused.signal]),
    count(bytes) {
      if (paused.signal.aborted) return;
      receivedBytes += bytes;
      if (receivedBytes > maxBytes) exhausted.abort(tooManyBytes(maxBytes));
    },
  };
  return { paused, failures, scope, received: () => receivedBytes };
}

function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function tooManyBytes(maxBytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The page and its resources are larger than ${Math.floor(maxBytes / 1_048_576)} MiB.`,
    suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
  });
}

/** Ignores errors of clients, which may disconnect at any time. */
function ignore(): void {}

/** Answers CONNECT with a tunnel to the host and port when the policy allows them, and with 502 or 400 otherwise. */
async function openTunnel(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  scope: ProxyScope,
): Promise<void> {
  client.on('error', () => client.destroy());
  const text = `https://${request.url}/`;
  if (!URL.canParse(text)) return reject(client, '400 Bad Request');
  const requested = new URL(text);
  try {
    const url = scope.policy.checkUrl(text);
    const { signal } = scope;
    const target = { host: hostOf(url), port: portOf(url) };
    const upstream = await scope.route(target, { signal, clock: startStageClock() });
    join(client, upstream, head, scope);
  } catch (thrown) {
    scope.failures.record(requested, thrown);
    reject(client, '502 Bad Gateway');
  }
}

function join(client: Socket, upstream: Socket, head: Buffer, { count, signal }: ProxyScope): void {
  const cut = () => {
    signal.removeEventListener('abort', cut);
    client.destroy();
    upstream.destroy();
  };
  // A response that ends with its connection is complete only when that was not reset, so the reset is passed on.
  upstream.on('error', () => client.resetAndDestroy());
  for (const end of [client, upstream]) end.on('error', cut).on('close', cut);
  if (signal.aborted || client.destroyed) {
    cut();
    return;
  }
  signal.addEventListener('abort', cut);
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  upstream.write(head);
  upstream.on('data', (chunk: Buffer) => count(chunk.length));
  upstream.pipe(client);
  client.pipe(upstream);
}

function reject(client: Socket, status: string): void {
  if (!client.destroyed) client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
