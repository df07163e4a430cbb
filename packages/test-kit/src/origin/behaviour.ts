import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One request to the origin, and everything that a behaviour may do with it. */
export interface Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: Responder;
  /** The bytes below HTTP: the socket, or the stream of an HTTP/2 session; raw routes write to the former. */
  readonly wire: Duplex;
  /** The TCP connection below TLS and everything else. */
  readonly connection: Socket;
  /** What the `:names` of the route's path stand for. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** How often this method and URL, query included, were asked for, this time counted. */
  readonly visit: number;
}

/** The part that HTTP/1.1 and HTTP/2 responses of node have in common. */
export interface Responder {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  writeHead(statusCode: number, headers?: Readonly<Record<string, string | string[]>>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

/** What the origin does with a request. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

/** A path of the origin, with `:names` for segments, and what happens there. */
export interface OriginRoute {
  readonly path: string;
  readonly behaviour: Behaviour;
  /** It writes HTTP/1.1 by hand, so over HTTP/2 it answers 501. */
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
