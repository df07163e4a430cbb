import type { AgentOptions, ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import { openTls } from '../route/open-tls.ts';
import type { Route, RouteContext } from '../route/route.ts';
import type { HopRequest } from './http-stack.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { Agent: PlainAgent } = process.getBuiltinModule('node:http');

type OnCreated = (error: Error | null, stream: Duplex) => void;

/** A way to connect for one request: the agent that keeps connections, and a function that opens a new one. */
export interface HttpConnection {
  readonly agent: HttpAgent;
  readonly createConnection: (args: unknown, onCreated: OnCreated) => undefined;
}

/** HTTP/1.1 connections over all routes, kept for later requests. */
export interface Connections {
  /** Returns the way to connect to the URL's origin over a route; the URL must have passed the policy. */
  over(route: Route, url: URL, context: RouteContext & Pick<HopRequest, 'isRepeatable'>): HttpConnection;
  /** Closes idle connections; running requests end by their own signals. */
  close(): void;
}

const TLS_TIMEOUT_MS = 10_000;

/**
 * Creates the connections of a client. Each route has agents of its own, so that a connection through one proxy never
 * serves a request through another; there are few routes, and they live as long as the client.
 */
export function createConnections(certificateAuthorities?: readonly string[]): Connections {
  const agents = new Map<Route, KeepAliveAgents>();
  const single = createAgents({ keepAlive: false });

  async function open(route: Route, url: URL, context: RouteContext): Promise<Socket> {
    const target = { host: hostOf(url), port: portOf(url) };
    const socket = await route(target, context);
    if (url.protocol === 'http:') return socket;
    context.clock.enter('tls');
    return await openTls(socket, {
      host: target.host,
      ...(certificateAuthorities ? { certificateAuthorities } : {}),
      signal: context.signal,
      timeoutMs: TLS_TIMEOUT_MS,
    });
  }

  return {
    over(route, url, context) {
      const kept = agents.get(route) ?? createKeepAliveAgents();
      agents.set(route, kept);
      const { http, https } = context.isRepeatable ? kept : single;
      return {
        agent: url.protocol === 'https:' ? https : http,
        createConnection(_args, onCreated) {
          open(route, url, context).then(
            (socket) => {
              context.clock.enter('firstByte');
              onCreated(null, socket);
            },
            // Node's types want a stream beside an error; its code does not.
            onCreated as (error: Error) => void,
          );
          return undefined;
        },
      };
    },
    close() {
      for (const { http, https } of agents.values()) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

/** Agents for HTTP/1.1 connections; each request opens its own where none is kept. */
export interface KeepAliveAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

const MAX_IDLE_SOCKETS = 256;

/**
 * Keeps idle connections for a few seconds, since opening new ones costs both sides more. Busy connections are not bounded
 * here, because waiting in an agent's queue would be invisible: callers decide how many fetches run at once.
 */
const KEPT: AgentOptions = { keepAlive: true, maxFreeSockets: 32, timeout: 5_000, scheduling: 'lifo' };

/** Creates the pair that keeps connections; destroy both to close idle ones. */
export function createKeepAliveAgents(): KeepAliveAgents {
  return createAgents(KEPT);
}

function createAgents(options: AgentOptions): KeepAliveAgents {
  return { http: new PooledHttpAgent(options), https: new PooledHttpsAgent(options) };
}

class PooledHttpAgent extends PlainAgent {
  override createConnection(options: ClientRequestArgs, onCreated: OnCreated): Duplex | null | undefined {
    return openAsRequested(options, onCreated);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return hasRoom(this) && keepAlive(super.keepSocketAlive(socket));
  }
}

class PooledHttpsAgent extends HttpsAgent {
  override createConnection(options: ClientRequestArgs, onCreated: OnCreated): Duplex | null | undefined {
    return openAsRequested(options, onCreated);
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return hasRoom(this) && keepAlive(super.keepSocketAlive(socket));
  }
}

/** Opens a connection with the request's own function; without one, the address would not be checked. */
function openAsRequested(options: ClientRequestArgs, onCreated: OnCreated): Duplex | null | undefined {
  if (!options.createConnection) throw new Error('A request reached the agent without createConnection.');
  return options.createConnection(options, onCreated);
}

function hasRoom(agent: HttpAgent): boolean {
  return (
    Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0) <
    MAX_IDLE_SOCKETS
  );
}

/** Reads a result that node's types declare as void and its documentation and code as boolean. */
function keepAlive(decision: unknown): boolean {
  return decision !== false;
}
