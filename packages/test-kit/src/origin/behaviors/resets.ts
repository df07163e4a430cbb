import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, OriginRoute } from '../behavior.ts';

/** Connections that are closed or reset too early. */
export const RESET_ROUTES: readonly OriginRoute[] = [
  { path: '/reset/before-headers', behavior: reset },
  { path: '/reset/mid-body', behavior: resetMidBody },
  { path: '/reset/first-visit/:token', behavior: resetOnFirstVisit },
  { path: '/reset/undelimited/:version', behavior: resetUndelimited, isRaw: true },
  { path: '/close/mid-body', behavior: closeMidBody },
  { path: '/close/before-headers', behavior: ({ wire }) => void wire.end(), isRaw: true },
  { path: '/close/mid-headers', behavior: closeMidHeaders, isRaw: true },
  { path: '/close/mid-chunk', behavior: closeMidChunk, isRaw: true },
  { path: '/close/without-goodbye/:headers', behavior: closeWithoutGoodbye, isRaw: true },
  { path: '/close/after-close-delimited-body', behavior: closeDelimited, isRaw: true },
];

/** TCP's RST, or HTTP/2's RST_STREAM. */
function reset({ wire }: Pick<Exchange, 'wire'>): void {
  if (wire instanceof Socket && 'resetAndDestroy' in wire && !('encrypted' in wire)) wire.resetAndDestroy();
  else wire.destroy();
}

function resetMidBody(exchange: Exchange): void {
  const { response, wire } = exchange;
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
  response.write('<!doctype html><title>Cut</title>');
  wire.once('drain', () => reset(exchange));
  setImmediate(() => reset(exchange));
}

/** Sends the given number of bytes of a close-delimited body, waits, and resets the connection instead of closing it. */
async function resetUndelimited({ wire, connection, params, query }: Exchange): Promise<void> {
  const body = '<h1>hi</h1><p>one</p>'.padEnd(Number(query.get('bytes')), ' and another word');
  wire.write(`HTTP/${params.version} 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${body}`);
  await delay(Number(query.get('after')));
  connection.resetAndDestroy();
}

function resetOnFirstVisit(exchange: Exchange): void {
  if (exchange.visit === 1) reset(exchange);
  else exchange.response.end('<!doctype html><title>Second</title>');
}

/** HTTP/1.1's FIN without the last chunk, or HTTP/2's RST_STREAM with NO_ERROR and no END_STREAM. */
function closeMidBody({ response, wire }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.write('<!doctype html><title>Cut</title>');
  setImmediate(() => wire.destroy());
}

function closeMidHeaders({ wire }: Exchange): void {
  wire.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Half');
}

/** A chunked body without its last chunk. */
function closeMidChunk({ wire }: Exchange): void {
  wire.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
}

/** A close-delimited body, as in HTTP/1.0. */
function closeDelimited({ wire }: Exchange): void {
  wire.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html><title>Old</title>',
  );
}

/** Closes the TCP connection without TLS's close_notify; sends the framing that the path names as a header line. */
function closeWithoutGoodbye({ wire, connection, params }: Exchange): void {
  wire.write(
    `HTTP/1.1 200 OK\r\nConnection: close\r\n${params.headers}\r\n\r\n<!doctype html><title>Rude</title>`,
    () => connection.end(),
  );
}
