import type { HopRequest, SentRequest } from '../http/http-stack.ts';
import { sendOverHttp1 } from '../http/send-over-http1.ts';
import type { Http1Connection } from '../transport/create-transport.ts';

/** The only headers that Chrome writes in lower case over HTTP/1.1. */
const LOWER_CASE = /^sec-ch-/;

/** Sends a plain http request with the order and the spelling of Chrome's headers, which most clients change. */
export function sendLikeChrome(request: HopRequest, connection: Http1Connection): SentRequest {
  const { hop, headers } = request;
  return sendOverHttp1(request, connection, toRawHeaders(hop.url, headers, hop.body));
}

/** Returns names and values in turn, which node sends unchanged: Host first, then Connection. */
function toRawHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
): string[] {
  const all: Record<string, string> = {
    host: url.host,
    connection: 'keep-alive',
    ...(body && { 'content-length': String(body.length) }),
    ...headers,
  };
  return Object.entries(all).flatMap(([name, value]) => [spell(name), value]);
}

function spell(name: string): string {
  return LOWER_CASE.test(name) ? name : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
