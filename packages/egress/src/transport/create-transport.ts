import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import { openTls } from '../route/open-tls.ts';
import type { Route, RouteContext } from '../route/route.ts';
import { createKeepAliveAgents, type KeepAliveAgents } from './keep-alive-agents.ts';
import { createSessionPool, type SessionLease } from './session-pool.ts';

type OnCreated = (error: Error | null, socket?: Socket) => void;

/** Connection for one request. */
export type HttpConnection = Http1Connection | Http2Connection;

/** A connection over HTTP/1.1: agents that keep connections, and a function that opens a new one. */
export interface Http1Connection {
  readonly agents: KeepAliveAgents;
  readonly createConnection: (args: unknown, onCreated: OnCreated) => void;
  /** Returns the connection. */
  release(outcome: 'completed' | 'failed'): void;
}

/** A connection over HTTP/2: a place on a session. */
export type Http2Connection = SessionLease;

/** Opens connections over one route and keeps them for later requests. */
export interface Transport {
  /** Finds or opens a connection to the URL's origin; the URL must have passed the policy. */
  connect(url: URL, context: RouteContext): Promise<HttpConnection>;
  /** Finds or opens a connection for a plain http URL. */
  connectPlain(url: URL, context: RouteContext): Http1Connection;
  /** Closes idle connections; running requests end by their own signals. */
  close(): void;
}

/** Dependencies of a transport. */
export interface TransportDeps {
  readonly route: Route;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

const TLS_TIMEOUT_MS = 10_000;
const MAX_REMEMBERED_ORIGINS = 10_000;

/** Creates a transport: HTTP/2 where the origin negotiates it, HTTP/1.1 with keep-alive everywhere else. */
export function createTransport({ route, certificateAuthorities }: TransportDeps): Transport {
  const agents = createKeepAliveAgents();
  const sessions = createSessionPool();
  /** Origins that did not accept HTTP/2, oldest first. */
  const http1Origins = new Set<string>();

  function connectPlain(url: URL, context: RouteContext): Http1Connection {
    return overHttp1(() => route(targetOf(url), context), context);
  }

  async function connect(url: URL, context: RouteContext): Promise<HttpConnection> {
    if (url.protocol === 'http:') return connectPlain(url, context);
    const lease = sessions.lease(url.origin);
    if (lease) return lease;
    if (http1Origins.has(url.origin))
      return overHttp1(() => openSecured(url, ['http/1.1'], context), context);

    const socket = await openSecured(url, ['h2', 'http/1.1'], context);
    if (socket.alpnProtocol === 'h2') return sessions.start(url.origin, socket);
    rememberHttp1(url.origin);
    return overHttp1(() => openSecured(url, ['http/1.1'], context), context, socket);
  }

  /** Uses `opened` for the request unless the agent has an idle connection. */
  function overHttp1(open: () => Promise<Socket>, { clock }: RouteContext, opened?: Socket): Http1Connection {
    let spare = opened;
    const takeSpare = () => {
      const taken = spare;
      spare = undefined;
      return taken && !taken.destroyed ? taken : undefined;
    };
    return {
      agents,
      createConnection(_args, onCreated) {
        const connection = Promise.resolve(takeSpare() ?? open());
        connection.then(
          (socket) => {
            clock.enter('firstByte');
            onCreated(null, socket);
          },
          onCreated as (error: Error) => void,
        );
        return undefined;
      },
      release: () => takeSpare()?.destroy(),
    };
  }

  async function openSecured(
    url: URL,
    protocols: ('h2' | 'http/1.1')[],
    context: RouteContext,
  ): Promise<TLSSocket> {
    const target = targetOf(url);
    const socket = await route(target, context);
    context.clock.enter('tls');
    return openTls(socket, {
      host: target.host,
      protocols,
      ...(certificateAuthorities ? { certificateAuthorities } : {}),
      signal: context.signal,
      timeoutMs: TLS_TIMEOUT_MS,
    });
  }

  function rememberHttp1(origin: string): void {
    http1Origins.add(origin);
    const [oldest] = http1Origins;
    if (oldest !== undefined && http1Origins.size > MAX_REMEMBERED_ORIGINS) http1Origins.delete(oldest);
  }

  return {
    ...{ connect, connectPlain },
    close() {
      agents.http.destroy();
      agents.https.destroy();
      sessions.close();
    },
  };
}

function targetOf(url: URL) {
  return { host: hostOf(url), port: portOf(url) };
}

/** One transport for each route, so that a connection through one proxy never serves a request through another. */
export interface Transports {
  /** Returns the transport of a route; there are few routes, and they live as long as this object. */
  over(route: Route): Transport;
  /** Closes the idle connections of all transports. */
  close(): void;
}

/** Creates transports on first use. */
export function createTransports(deps: Omit<TransportDeps, 'route'>): Transports {
  const transports = new Map<Route, Transport>();
  return {
    over(route) {
      const known = transports.get(route);
      if (known) return known;
      const made = createTransport({ ...deps, route });
      transports.set(route, made);
      return made;
    },
    close() {
      for (const transport of transports.values()) transport.close();
    },
  };
}
