import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a site saw it. */
export interface Fetch {
  readonly method: string;
  /** Absolute, with the host that the client asked for. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** A request to a site. */
export interface SiteVisit {
  readonly url: URL;
  /** Number of requests so far, this one included. */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers the requests to a site. */
export type SiteHandler = (visit: SiteVisit) => void | Promise<void>;

/** A running site. */
export interface Site extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly origin: string;
  /** Every request so far, oldest first. */
  readonly fetches: readonly Fetch[];
  close(): Promise<void>;
}

/** Place of a site; by default any free port of 127.0.0.1. */
export interface SiteOptions {
  readonly port?: number;
  /** Log to write to, instead of one of its own. */
  readonly fetches?: Fetch[];
}

/** Starts a site of one handler, which logs each request. */
export async function startSite(handler: SiteHandler, options: SiteOptions = {}): Promise<Site> {
  const { port = 0, fetches = [] } = options;
  let number = 0;
  let origin = '';

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const target = request.url?.startsWith('/') ? request.url : '/';
    const host = `http://${request.headers.host}`;
    const url = new URL((URL.canParse(host) ? host : origin) + target);
    fetches.push({ method: request.method ?? 'GET', url: url.href, atMs: Date.now() });
    number += 1;
    await handler({ url, number, request, response });
  };
  const server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => {
    response.on('error', () => {});
    // A client that leaves ends the answer, not the site.
    void answer(request, response).catch(() => response.destroy());
  });
  // Never: a process that is occupied for long would reuse a connection that is being closed.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  return { origin, fetches, close, [Symbol.asyncDispose]: close };
}

/** Answer to a request. */
export interface Reply {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a reply. */
export function send(
  { response }: Pick<SiteVisit, 'response'>,
  { type, body, status = 200, headers }: Reply,
): void {
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(body);
}
