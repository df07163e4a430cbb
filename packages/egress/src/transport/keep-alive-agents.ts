import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** Agents that keep HTTP/1.1 connections for the next request; each request says how its own is opened. */
export interface KeepAliveAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

type OnCreated = (error: Error | null, stream: Duplex) => void;

const MAX_IDLE_SOCKETS = 256;

/**
 * As many connections to a site stay open as were in use a moment ago, few in total and for a few seconds: opening them
 * anew costs both sides more. Busy ones are not bounded here, because a queue in
 * an agent is a wait that nobody sees: whoever calls decides how many fetches run at once.
 */
const OPTIONS: AgentOptions = { keepAlive: true, maxFreeSockets: 32, timeout: 5_000, scheduling: 'lifo' };

/** Builds the pair; destroy both to close what is idle. */
export function createKeepAliveAgents(): KeepAliveAgents {
  return { http: new PooledHttpAgent(OPTIONS), https: new PooledHttpsAgent(OPTIONS) };
}

class PooledHttpAgent extends HttpAgent {
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

/** The agent passes the request's own options on; without an opener there is no checked way out, so none is taken. */
function openAsRequested(options: ClientRequestArgs, onCreated: OnCreated): Duplex | null | undefined {
  if (!options.createConnection) throw new Error('A request came to the pool without its createConnection.');
  return options.createConnection(options, onCreated);
}

function hasRoom(agent: HttpAgent): boolean {
  return (
    Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0) <
    MAX_IDLE_SOCKETS
  );
}

/** Node's types say void, its documentation and its code say boolean. */
function keepAlive(decision: unknown): boolean {
  return decision !== false;
}
