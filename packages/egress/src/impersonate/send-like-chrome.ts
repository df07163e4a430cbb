import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { CarriedRequest, Parcel } from '../carrier/carrier.ts';
import { toAnswer } from '../fetch/send-request.ts';
import type { Http1Passage } from '../transport/create-transport.ts';
import { openRequest } from '../transport/open-request.ts';

/** The only headers that Chrome writes in lower case over HTTP/1.1. */
const LOWER_CASE = /^sec-ch-/;

/** Sends a plain http request with the order and the spelling of Chrome's headers, which most clients change. */
export function sendLikeChrome({ hop, headers, signal }: Parcel, passage: Http1Passage): CarriedRequest {
  const { agent, createConnection } = passage.options;
  const request = openRequest(hop.url, {
    method: hop.method,
    headers: toRawHeaders(hop.url, headers, hop.body),
    agent: agent.http,
    // Node's types know no connection that comes later; its agents wait for it.
    createConnection: createConnection as never,
    signal,
  });
  // One that fails after nobody listens any more has told all that it can.
  request.on('error', () => {});
  const answer = once(request, 'response', { signal }).then(([response]: IncomingMessage[]) => {
    const body = response as IncomingMessage;
    return toAnswer(body, { remoteAddress: body.socket.remoteAddress, body });
  });
  request.end(hop.body);
  return {
    answer,
    end(outcome) {
      request.destroy();
      passage.release(outcome);
    },
  };
}

/** Names and values in turn, as node sends them unchanged: where it goes comes first, then the connection. */
function toRawHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
): string[] {
  const all: Record<string, string> = {
    host: url.host,
    connection: 'keep-alive',
    ...(body && { 'content-length': String(body.length) }),
    ...headers,
  };
  return Object.entries(all).flatMap(([name, value]) => [spell(name), value]);
}

function spell(name: string): string {
  return LOWER_CASE.test(name) ? name : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
