import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { KeepAliveAgents } from '../http/connections.ts';
import { openRequest } from '../http/http1-request.ts';
import { type EgressPolicy, hostOf, portOf } from '../policy/create-egress-policy.ts';
import type { Route } from '../route/route.ts';
import { startStageClock } from '../route/stage-clock.ts';
import type { FailureLog } from './failure-log.ts';

/** Headers that belong to one connection (RFC 9110 section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Forwards a plain http request in absolute form to its target, and the response back. When it is rejected or fails, the
 * connection is closed without a response, since ours could be mistaken for the target's.
 */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, scope: ProxyScope): void {
  const text = request.url ?? '';
  if (!URL.canParse(text)) return void request.socket.destroy();
  const requested = new URL(text);
  const fail = (thrown: unknown) => {
    scope.failures.record(requested, thrown);
    request.socket.destroy();
  };
  try {
    send(scope.policy.checkUrl(withoutFragment(requested)), request, response, { ...scope, fail });
  } catch (thrown) {
    fail(thrown);
  }
}

type ForwardScope = ProxyScope & { readonly fail: (thrown: unknown) => void };

function send(url: URL, request: IncomingMessage, response: ServerResponse, scope: ForwardScope): void {
  const { route, agents, signal, count, fail } = scope;
  const target = { host: hostOf(url), port: portOf(url) };
  const outgoing = openRequest(url, {
    method: request.method ?? 'GET',
    headers: endToEnd(request.rawHeaders),
    agent: agents.http,
    signal,
    createConnection: (_options, onCreated) => {
      route(target, { signal, clock: startStageClock() }).then(
        (socket: Socket) => onCreated(null, socket),
        // Node's types want a stream beside an error; its code does not.
        onCreated as (error: Error) => void,
      );
      return undefined;
    },
  });
  outgoing.on('error', fail).on('upgrade', (_incoming, socket) => {
    socket.destroy();
    fail(new Error('The target switched to a protocol that was not requested.'));
  });
  outgoing.on('response', (incoming) => {
    const { statusCode = 502, statusMessage = '' } = incoming;
    try {
      response.writeHead(statusCode, withoutControls(statusMessage), endToEnd(incoming.rawHeaders));
    } catch (thrown) {
      // Node reads status lines that it refuses to write, such as one with the code 099.
      outgoing.destroy();
      fail(thrown);
      return;
    }
    incoming.on('data', (chunk: Buffer) => count(chunk.length)).on('error', fail);
    incoming.pipe(response);
    sendHeadersOfLateBody(incoming, response);
  });
  response.on('close', () => outgoing.destroy());
  request.on('error', fail).pipe(outgoing);
}

/** Sends the headers of a response before its late body; Node would hold them back until then. */
function sendHeadersOfLateBody(incoming: IncomingMessage, response: ServerResponse): void {
  let hasBody = false;
  incoming.once('data', () => {
    hasBody = true;
  });
  setImmediate(() => {
    if (!hasBody && !response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

/** Removes the control characters that Node refuses in a status line. */
function withoutControls(statusMessage: string): string {
  return statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

function withoutFragment({ href }: URL): string {
  return href.split('#', 1)[0] ?? href;
}

/** Keeps end-to-end headers, as names and values in turn; drops headers that Connection lists too. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  const dropped = new Set(HOP_BY_HOP);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue;
    for (const name of rawHeaders[index + 1]?.split(',') ?? []) dropped.add(name.trim().toLowerCase());
  }
  return rawHeaders.filter(
    (_text, index) => !dropped.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
  );
}

/** State that the connections of one proxy share. */
export interface ProxyScope {
  readonly policy: EgressPolicy;
  readonly route: Route;
  readonly agents: KeepAliveAgents;
  readonly failures: FailureLog;
  /** Ends every connection. */
  readonly signal: AbortSignal;
  /** Counts bytes received from a target. */
  readonly count: (bytes: number) => void;
}
