import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { startStageClock } from '../fetch/stage-clock.ts';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';
import { openRequest } from '../transport/open-request.ts';
import type { ProxyScope } from './proxy-scope.ts';

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
 * Passes a plain http request in absolute form on to its target, and the answer back. Where that is refused or fails the
 * connection is closed without an answer, since an answer of ours could be taken for the target's.
 */
export function forwardRequest(request: IncomingMessage, response: ServerResponse, scope: ProxyScope): void {
  const text = request.url ?? '';
  if (!URL.canParse(text)) return void request.socket.destroy();
  const named = new URL(text);
  const fail = (thrown: unknown) => {
    scope.failures.note(named, thrown);
    request.socket.destroy();
  };
  try {
    send(scope.policy.checkUrl(withoutFragment(named)), request, response, { ...scope, fail });
  } catch (thrown) {
    fail(thrown);
  }
}

type Failing = ProxyScope & { readonly fail: (thrown: unknown) => void };

function send(url: URL, request: IncomingMessage, response: ServerResponse, scope: Failing): void {
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
  outgoing.on('error', fail).on('response', (answer) => {
    const { statusCode = 502, statusMessage } = answer;
    response.writeHead(statusCode, statusMessage, endToEnd(answer.rawHeaders));
    answer.on('data', (chunk: Buffer) => count(chunk.length)).on('error', fail);
    answer.pipe(response);
  });
  response.on('close', () => outgoing.destroy());
  request.on('error', fail).pipe(outgoing);
}

function withoutFragment(url: URL): string {
  return url.href.replace(/#.*$/s, '');
}

/** Names and values in turn, as node gives and takes them; names that Connection lists are dropped too. */
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
