import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, OriginRoute } from '../behavior.ts';

/** Responses that are slow or never arrive. */
export const STALL_ROUTES: readonly OriginRoute[] = [
  { path: '/stall/before-headers', behavior: () => {} },
  { path: '/stall/mid-headers', behavior: stallMidHeaders, isRaw: true },
  { path: '/stall/mid-body', behavior: stallMidBody },
  { path: '/stall/first-visit/:token', behavior: stallFirstVisit },
  { path: '/slow/:ms', behavior: slow },
  { path: '/drip/:ms', behavior: drip },
];

function stallMidHeaders({ wire }: Exchange): void {
  wire.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Half');
}

function stallMidBody({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
  response.write('<!doctype html><title>Half</title><p>and then');
}

/** Sends half a page at the first visit and a whole one from then on. */
function stallFirstVisit(exchange: Exchange): void {
  if (exchange.visit === 1) {
    stallMidBody(exchange);
    return;
  }
  exchange.response.writeHead(200, { 'content-type': 'text/html' });
  exchange.response.end('<!doctype html><title>Whole</title>');
}

/** Sends a page after the given number of milliseconds. */
async function slow({ response, params }: Exchange): Promise<void> {
  await delay(Number(params.ms));
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Slow</title>');
}

/** Sends one byte each given number of milliseconds, without end or `?bytes=` times. */
async function drip({ response, wire, params, query }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' });
  const bytes = Number(query.get('bytes') ?? Number.POSITIVE_INFINITY);
  for (let sent = 0; sent < bytes && !wire.destroyed; sent += 1) {
    response.write('x');
    await delay(Number(params.ms));
  }
  response.end();
}
