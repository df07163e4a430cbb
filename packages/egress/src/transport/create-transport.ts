import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import type { Route, RouteContext } from '../route/route.ts';
import { createKeepAliveAgents, type KeepAliveAgents } from './keep-alive-agents.ts';
import { openRequest } from './open-request.ts';
import { openTls } from './open-tls.ts';
import { createSessionPool, type SessionLease } from './session-pool.ts';

type OnCreated = (error: Error | null, socket?: Socket) => void;

/** How one request travels. */
export type Passage = Http1Passage | Http2Passage;

/** A passage over HTTP/1.1, in node's and got's words. */
export interface Http1Passage {
  readonly options: {
    readonly request: typeof openRequest;
    readonly agent: KeepAliveAgents;
    readonly createConnection: (args: unknown, onCreated: OnCreated) => void;
  };
  /** Gives the connection back. */
  release(outcome: 'completed' | 'failed'): void;
}

/** A passage over HTTP/2: a place on a session. */
export type Http2Passage = SessionLease;

/** Carries requests over one route, and keeps its connections for the next ones. */
export interface Transport {
  /** Finds or opens a connection to the URL's origin; the URL must have passed the policy. */
  book(url: URL, context: RouteContext): Promise<Passage>;
  /** The same for a plain http URL. */
  bookPlain(url: URL, context: RouteContext): Http1Passage;
  /** Closes what is idle; requests under way end by their own signals. */
  close(): void;
}

/** What a transport needs. */
export interface TransportDeps {
  readonly route: Route;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

const TLS_TIMEOUT_MS = 10_000;
const MAX_REMEMBERED_ORIGINS = 10_000;

/** Builds a transport: HTTP/2 where the origin negotiates it, HTTP/1.1 with keep-alive everywhere else. */
export function createTransport({ route, certificateAuthorities }: TransportDeps): Transport {
  const agents = createKeepAliveAgents();
  const sessions = createSessionPool();
  /** Origins that were offered HTTP/2 and did not take it, oldest first. */
  const http1Origins = new Set<string>();

  function bookPlain(url: URL, context: RouteContext): Http1Passage {
    return overHttp1(() => route(targetOf(url), context), context);
  }

  async function book(url: URL, context: RouteContext): Promise<Passage> {
    if (url.protocol === 'http:') return bookPlain(url, context);
    const lease = sessions.lease(url.origin);
    if (lease) return lease;
    if (http1Origins.has(url.origin))
      return overHttp1(() => openSecured(url, ['http/1.1'], context), context);

    const socket = await openSecured(url, ['h2', 'http/1.1'], context);
    if (socket.alpnProtocol === 'h2') return sessions.start(url.origin, socket);
    rememberHttp1(url.origin);
    return overHttp1(() => openSecured(url, ['http/1.1'], context), context, socket);
  }

  /** `opened` is used for the request unless the agent has a kept connection for it. */
  function overHttp1(open: () => Promise<Socket>, { clock }: RouteContext, opened?: Socket): Http1Passage {
    let spare = opened;
    const takeSpare = () => {
      const taken = spare;
      spare = undefined;
      return taken && !taken.destroyed ? taken : undefined;
    };
    return {
      options: {
        request: openRequest,
        agent: agents,
        createConnection(_args, onCreated) {
          const connection = Promise.resolve(takeSpare() ?? open());
          connection.then(
            (socket) => {
              clock.enter('waiting');
              onCreated(null, socket);
            },
            onCreated as (error: Error) => void,
          );
          return undefined;
        },
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
    ...{ book, bookPlain },
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
