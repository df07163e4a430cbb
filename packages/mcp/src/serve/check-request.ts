import type { IncomingMessage } from 'node:http';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';

/** A request that is not handed to the tools. */
export interface Refused {
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
export function checkRequest(
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
