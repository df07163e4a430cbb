import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the service received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that sends scripted answers and records the requests. */
export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
}

/** Answers one request; `count` is the number of requests before it. */
export type Answer = (response: ServerResponse, request: Received, count: number) => void | Promise<void>;

/** Starts a service on loopback. */
export async function startService(answer: Answer, port = 0): Promise<TestService> {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    const count = received.push(one) - 1;
    await answer(response, one, count);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.socket.destroy());
  });
  // Never: a process that is occupied for long would reuse a connection that is being closed.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with an error as the service does. */
export function sendError(
  response: ServerResponse,
  status: number,
  error: { readonly code: string; readonly source?: 'api' | 'target' },
  headers: Readonly<Record<string, string>> = {},
): void {
  const rest = { message: `${error.code} happened.`, suggestion: 'Wait.', requestId: 'req_1' };
  sendJson(response, status, { success: false, error: { source: 'api', ...rest, ...error } }, headers);
}

/** A job in the form of the API. */
export function jobOf(status: string, completedUrls: number, totalUrls = 10) {
  return {
    id: 'job_1',
    name: 'Untitled job',
    status,
    totalUrls,
    completedUrls,
    failedUrls: 0,
    creditsUsed: completedUrls,
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: ['pending', 'running'].includes(status) ? undefined : '2026-01-01T00:00:02.000Z',
  };
}
