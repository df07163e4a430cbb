import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Gleaner, type GleanerError } from '@gleaner/client';
import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { createServer } from './create-server.ts';
import { KnownKeys } from './known-keys.ts';

/** Settings of a server over HTTP. */
export interface HttpOptions {
  /** Address of the service. */
  readonly url: string;
  readonly version: string;
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Names of the server besides this machine's own. */
  readonly allowedHosts: readonly string[];
  readonly onNotice: (text: string) => void;
}

/** A server that listens. */
export interface McpHttpServer {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
/** Room for a job of tens of thousands of URLs. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Serves agents over HTTP. Nothing is kept between two requests; each brings its API key. */
export async function serveHttp(options: HttpOptions): Promise<McpHttpServer> {
  const { url, version, host, port, onNotice } = options;
  const keys = new KnownKeys(
    (apiKey) => new Gleaner({ url, apiKey, headers: { 'user-agent': `gleaner-mcp/${version}` } }),
  );
  const handler = createMcpHandler(
    async ({ authInfo }) => createServer({ ...(await keys.find(authInfo?.token ?? '')), version }),
    { maxRequestBodySize: MAX_BODY_BYTES, onerror: (error) => onNotice(error.message) },
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const checked = checkRequest(request, { path: PATH, allowedHosts: options.allowedHosts });
    if ('status' in checked) return refuse(response, checked);
    try {
      await keys.find(checked.apiKey);
    } catch (error) {
      return refuse(response, unauthorized((error as GleanerError).message));
    }
    const { apiKey: token } = checked;
    const authInfo = { token, clientId: 'gleaner', scopes: [] };
    await send(await handler.fetch(toRequest(request, response), { authInfo }), response);
  }

  const server = createHttpServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      onNotice(error.message);
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, message: 'The server failed.' });
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${PATH}`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the request in the form of the platform; it is aborted when the client leaves. */
function toRequest(request: IncomingMessage, response: ServerResponse): Request {
  const { method = 'GET', url = '/', headers } = request;
  const left = new AbortController();
  response.once('close', () => response.writableFinished || left.abort());
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const };
  return new Request(`http://${headers.host}${url}`, {
    method,
    signal: left.signal,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...body,
  });
}

async function send(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (!from.body) return void to.end();
  await pipeline(Readable.fromWeb(from.body as import('node:stream/web').ReadableStream), to).catch(() => {});
}

function unauthorized(message: string): Refused {
  return { status: 401, message: `${message} Send "Authorization: Bearer <API key>".` };
}

function refuse(response: ServerResponse, { status, message }: Refused): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** A request that is not handed to the tools. */
interface Refused {
  readonly status: number;
  readonly message: string;
}

interface Policy {
  readonly path: string;
  /** Names beside those of this machine. */
  readonly allowedHosts: readonly string[];
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const BEARER = /^bearer +([\x21-\x7e]+)$/i;

/**
 * Checks path, Host, Origin and the form of the key. A web page that points its own name at this machine (DNS rebinding)
 * comes with that name as Host; any page comes with its Origin, and no page has a reason to call this server.
 */
function checkRequest(
  { url = '/', headers, headersDistinct }: IncomingMessage,
  { path, allowedHosts }: Policy,
): Refused | { readonly apiKey: string } {
  const host = validateHostHeader(headers.host, [...localhostAllowedHostnames(), ...allowedHosts]);
  // What a URL cannot hold as its host, such as a user name, is not one either.
  if (!host.ok || !HOST.test(headers.host ?? '')) {
    return {
      status: 403,
      message: `The Host "${headers.host ?? ''}" is not allowed. Allow it with --allow-host.`,
    };
  }
  if (headers.origin !== undefined) {
    return { status: 403, message: 'Web pages may not call this server: the request has an Origin.' };
  }
  if (url.split('?')[0] !== path) return { status: 404, message: `The server is at ${path}.` };
  const [authorization = '', ...others] = headersDistinct.authorization ?? [];
  const apiKey = others.length === 0 ? BEARER.exec(authorization)?.[1] : undefined;
  if (apiKey) return { apiKey };
  return { status: 401, message: 'The API key is missing. Send "Authorization: Bearer <API key>".' };
}
