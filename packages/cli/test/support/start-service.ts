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
  /** Variables that lead a command here. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a service on loopback. */
export async function startService(
  answer: (response: ServerResponse, request: Received) => void | Promise<void>,
): Promise<TestService> {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    received.push(one);
    await answer(response, one);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    env: { GLEANER_URL: url, GLEANER_API_KEY: 'gl_1' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: status < 400, ...body }));
}

const WORKING: ReadonlySet<string> = new Set(['pending', 'running']);

/** A job in the form of the API, complete in its last states. */
export function jobOf(status: string, completedUrls: number, failedUrls = 0) {
  return {
    id: 'job_01jd8x0000000000000000000',
    name: 'Books',
    status,
    totalUrls: 1000,
    completedUrls,
    failedUrls,
    creditsUsed: completedUrls,
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: WORKING.has(status) ? undefined : '2026-01-01T00:01:00.000Z',
  };
}
