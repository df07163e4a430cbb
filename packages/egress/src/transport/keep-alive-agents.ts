import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/** Agents that keep HTTP/1.1 connections for the next request; each request opens its own. */
export interface KeepAliveAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

type OnCreated = (error: Error | null, stream: Duplex) => void;

const MAX_IDLE_SOCKETS = 256;

/**
 * Keeps idle connections for a few seconds, since opening new ones costs both sides more. Busy connections are not bounded
 * here, because waiting in an agent's queue would be invisible: callers decide how many fetches run at once.
 */
const OPTIONS: AgentOptions = { keepAlive: true, maxFreeSockets: 32, timeout: 5_000, scheduling: 'lifo' };

/** Creates the pair; destroy both to close idle connections. */
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
