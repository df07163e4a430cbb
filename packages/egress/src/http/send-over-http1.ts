import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { UnansweredError } from '../errors.ts';
import type { Http1Connection } from '../transport/create-transport.ts';
import { openRequest } from '../transport/open-request.ts';
import { type HopRequest, type SentRequest, toResponse } from './http-stack.ts';

/**
 * Sends one request over HTTP/1.1; the signal ends it, its body included. `headers` are the request's own, or names and
 * values in turn, which node sends unchanged.
 */
export function sendOverHttp1(
  { hop, headers: ownHeaders, signal }: HopRequest,
  connection: Http1Connection,
  headers: OutgoingHttpHeaders | string[] = { ...ownHeaders },
): SentRequest {
  const { agents, createConnection } = connection;
  const request = openRequest(hop.url, {
    method: hop.method,
    headers,
    agent: hop.url.protocol === 'https:' ? agents.https : agents.http,
    // Node's types know no connection that comes later; its agents wait for it.
    createConnection: createConnection as never,
    signal,
  });
  // Ignore errors after the response has been read or given up.
  request.on('error', () => {});
  const response = once(request, 'response', { signal }).then(
    ([message]: IncomingMessage[]) => {
      const body = message as IncomingMessage;
      return toResponse(body, { remoteAddress: body.socket.remoteAddress, body });
    },
    (error: unknown) => {
      throw request.reusedSocket ? new UnansweredError(error) : error;
    },
  );
  // The caller may end the request before it waits for the response.
  response.catch(() => {});
  request.end(hop.body);
  return {
    response,
    end(outcome) {
      request.destroy();
      connection.release(outcome);
    },
  };
}
