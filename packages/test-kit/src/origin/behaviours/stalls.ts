import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, OriginRoute } from '../behaviour.ts';

/** Answers that take their time, or never come. */
export const STALL_ROUTES: readonly OriginRoute[] = [
  { path: '/stall/before-headers', behaviour: () => {} },
  { path: '/stall/mid-headers', behaviour: stallMidHeaders, isRaw: true },
  { path: '/stall/mid-body', behaviour: stallMidBody },
  { path: '/stall/first-visit/:token', behaviour: stallFirstVisit },
  { path: '/slow/:ms', behaviour: slow },
  { path: '/drip/:ms', behaviour: drip },
];

function stallMidHeaders({ wire }: Exchange): void {
  wire.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Half');
}

function stallMidBody({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
  response.write('<!doctype html><title>Half</title><p>and then');
}

/** Half a page at the first visit, a whole one from then on. */
function stallFirstVisit(exchange: Exchange): void {
  if (exchange.visit === 1) {
    stallMidBody(exchange);
    return;
  }
  exchange.response.writeHead(200, { 'content-type': 'text/html' });
  exchange.response.end('<!doctype html><title>Whole</title>');
}

/** A page after so many milliseconds. */
async function slow({ response, params }: Exchange): Promise<void> {
  await delay(Number(params.ms));
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Slow</title>');
}

/** A byte every so many milliseconds, for ever. */
async function drip({ response, wire, params }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' });
  while (!wire.destroyed) {
    response.write('x');
    await delay(Number(params.ms));
  }
}
