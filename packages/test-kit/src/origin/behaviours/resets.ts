import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, OriginRoute } from '../behaviour.ts';

/** Connections that end when they should not. */
export const RESET_ROUTES: readonly OriginRoute[] = [
  { path: '/reset/before-headers', behaviour: reset },
  { path: '/reset/mid-body', behaviour: resetMidBody },
  { path: '/reset/first-visit/:token', behaviour: resetOnFirstVisit },
  { path: '/reset/undelimited/:version', behaviour: resetUndelimited, isRaw: true },
  { path: '/close/mid-body', behaviour: closeMidBody },
  { path: '/close/before-headers', behaviour: ({ wire }) => void wire.end(), isRaw: true },
  { path: '/close/mid-headers', behaviour: closeMidHeaders, isRaw: true },
  { path: '/close/mid-chunk', behaviour: closeMidChunk, isRaw: true },
  { path: '/close/without-goodbye/:headers', behaviour: closeWithoutGoodbye, isRaw: true },
  { path: '/close/after-close-delimited-body', behaviour: closeDelimited, isRaw: true },
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

/** As many bytes of a body whose end is that of its connection, and after a while TCP's RST in place of the end. */
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

/** As HTTP/1.0 did it: the end of the connection is the end of the body. */
function closeDelimited({ wire }: Exchange): void {
  wire.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html><title>Old</title>',
  );
}

/** Closes the connection below TLS, which does not hear of it; what the path names is sent as a header line. */
function closeWithoutGoodbye({ wire, connection, params }: Exchange): void {
  wire.write(
    `HTTP/1.1 200 OK\r\nConnection: close\r\n${params.headers}\r\n\r\n<!doctype html><title>Rude</title>`,
    () => connection.end(),
  );
}
