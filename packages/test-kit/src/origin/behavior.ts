import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One request to the origin, with everything that a behavior can use to answer it. */
export interface Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: Responder;
  /** The socket, or the stream of an HTTP/2 session; raw routes write HTTP/1.1 to the socket. */
  readonly wire: Duplex;
  /** The TCP connection below TLS. */
  readonly connection: Socket;
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Number of requests so far for this method and URL (query included), with this one. */
  readonly visit: number;
}

/** The part that Node's HTTP/1.1 and HTTP/2 responses have in common. */
export interface Responder {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  writeHead(statusCode: number, headers?: Readonly<Record<string, string | string[]>>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Answers a request to the origin. */
export type Behavior = (exchange: Exchange) => void | Promise<void>;

/** A path of the origin, with `:names` for segments, and its behavior. */
export interface OriginRoute {
  readonly path: string;
  readonly behavior: Behavior;
  /** True for a behavior that writes HTTP/1.1 by hand; over HTTP/2 the origin answers 501 instead. */
  readonly isRaw?: true;
}

/** Sends an HTML document. */
export function sendHtml({ response }: Exchange, html: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(html);
}

/** A small document with a title and a body. */
export function page(title: string, body: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
}
