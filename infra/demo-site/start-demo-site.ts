import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, Offer } from './markup/answer.ts';
import { answerTo } from './routes.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { createServer } = process.getBuiltinModule('node:http');

/** A running demo site. */
export interface DemoSite {
  readonly url: string;
  /** Hosts with port under which it answers: the one of `url`, and `localhost`. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

/** A request for a page of the site. */
export interface DemoRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

export interface DemoSiteOptions {
  /** A loopback address. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Called for each request. */
  readonly onRequest?: (request: DemoRequest) => void;
}

const FIRST_PRICE = 30;

/** Starts a bookshop to try scrapes and crawls on, without internet access. */
export async function startDemoSite({ host, port, onRequest }: DemoSiteOptions): Promise<DemoSite> {
  const hosts: string[] = [];
  const offer: Offer = { price: FIRST_PRICE };
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    onRequest?.({ method: request.method ?? 'GET', url: request.url ?? '/' });
    send(request, response, { hosts, offer });
  };
  const server = createServer(respond);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: openPort } = server.address() as AddressInfo;
  hosts.push(`${host}:${openPort}`, `localhost:${openPort}`);
  const servers = [server, ...(await listenOnIpv6(createServer(respond), openPort))];
  return {
    url: `http://${host}:${openPort}/`,
    hosts,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

/** Listens on ::1 as well, which some systems take `localhost` for; returns nothing where that is not possible. */
async function listenOnIpv6(server: Server, port: number): Promise<Server[]> {
  server.listen(port, '::1');
  return once(server, 'listening').then(
    () => [server],
    () => [],
  );
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** State of a running site. */
interface SiteState {
  readonly hosts: readonly string[];
  readonly offer: Offer;
}

function send(request: IncomingMessage, response: ServerResponse, { hosts, offer }: SiteState): void {
  const url = urlOf(request, hosts);
  if (request.method === 'POST' && POSTED.includes(url.pathname)) {
    sendPosted(request, response, { url, offer }).catch(() => request.destroy());
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const answer = answerTo({ url, offer, isPosted: false });
  const headers = headersOf(answer);
  if (answer.status === 200 && isUnchanged(request, headers)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

/** Paths that take fields by POST: a form, or JSON. */
const POSTED = ['/search', '/api/search.json', '/offer'];
const MAX_POSTED_BYTES = 65_536;

/** Answers a request with fields in its body like one with the fields in its URL. */
async function sendPosted(
  request: IncomingMessage,
  response: ServerResponse,
  { url, offer }: { readonly url: URL; readonly offer: Offer },
): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_POSTED_BYTES) return void response.writeHead(413).end();
    chunks.push(chunk);
  }
  url.search = searchOf(Buffer.concat(chunks).toString(), request.headers['content-type']);
  const { status, type, body } = answerTo({ url, offer, isPosted: true });
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

function searchOf(body: string, type = ''): string {
  if (!type.startsWith('application/json')) return body;
  try {
    return String(new URLSearchParams(JSON.parse(body)));
  } catch {
    return '';
  }
}

/** Returns the absolute URL of a request; a host that is not ours gives way to the first of ours. */
function urlOf({ url = '/', headers }: IncomingMessage, hosts: readonly string[]): URL {
  const host = hosts.find((known) => known === headers.host?.toLowerCase()) ?? hosts[0];
  return new URL(`http://${host}${url.startsWith('/') ? url : '/'}`);
}

function headersOf({ type, body, changed }: Answer): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': 'no-cache',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    ...(changed !== undefined && { 'last-modified': new Date(changed).toUTCString() }),
  };
}

/** Returns true if the client has the present version: RFC 9110, section 13.2.2, where the ETag decides if it is sent. */
function isUnchanged(request: IncomingMessage, headers: Readonly<Record<string, string>>): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
  if (tags !== undefined) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes('*') || known.includes(headers.etag ?? '');
  }
  const { 'last-modified': modified } = headers;
  if (since === undefined || modified === undefined) return false;
  return Date.parse(modified) <= Date.parse(since);
}
