import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { UnansweredError } from '../errors.ts';
import type { HttpConnection } from './connections.ts';
import type { HopRequest, SentRequest } from './http-stack.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { ClientRequest: OpenRequest } = process.getBuiltinModule('node:http');

/** Limit on the headers of a response. Browsers accept 256 KiB; no known page needs a quarter of that. */
const MAX_HEADER_BYTES = 65_536;

/**
 * Sends one request over HTTP/1.1; it lasts until it is ended. Headers are sent as they are when given as names and values in
 * turn.
 */
export function sendOverHttp1(
  { hop, headers: ownHeaders, onSent }: HopRequest,
  connection: HttpConnection,
  headers: RequestOptions['headers'] = { ...ownHeaders, ...lengthOf(hop) },
): SentRequest {
  // Node's types know no connection that comes later; its agents wait for it.
  const { agent, createConnection } = connection as HttpConnection & Pick<RequestOptions, 'createConnection'>;
  const request = openRequest(hop.url, { method: hop.method, headers, agent, createConnection });
  // Ignore errors after the response has been read or given up.
  request.on('error', () => {});
  // The agent gives a request its socket once that is connected.
  request.once('socket', onSent);
  const response = once(request, 'response').then(
    ([message]: IncomingMessage[]) => {
      const body = message as IncomingMessage;
      const { statusCode = 0, headers: received, socket } = body;
      return { statusCode, headers: received, remoteAddress: socket.remoteAddress, body };
    },
    (error: unknown) => {
      throw request.reusedSocket ? new UnansweredError(error) : error;
    },
  );
  request.end(hop.body);
  return { response, end: () => request.destroy() };
}

/** Returns the length of a body as a header: node writes none for DELETE. */
function lengthOf({ body }: HopRequest['hop']): Record<string, string> {
  return body ? { 'content-length': String(body.length) } : {};
}

/**
 * Sends an HTTP/1.1 request with node, and corrects how it ends. Node ends a body that is delimited by its connection
 * normally when that connection is reset, and fails a request whose complete response is followed by unreadable bytes. Here
 * an error before the end of the response fails its body, and later errors are ignored (RFC 9112 section 8).
 */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  return new CheckedRequest({ ...urlToHttpOptions(url), ...options, maxHeaderSize: MAX_HEADER_BYTES });
}

class CheckedRequest extends OpenRequest {
  #response: IncomingMessage | undefined;

  constructor(options: RequestOptions) {
    super(options);
    // Bytes are bounded, the number of headers is not: node would silently drop those after the 2,000th.
    this.maxHeadersCount = 0;
    this.once('response', (response) => {
      this.#response = response;
    });
  }

  /** Checks `complete` when an error is emitted, because node ends the response only after that. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const response = event === 'error' ? this.#response : undefined;
    if (response?.complete) return true;
    const isHandled = super.emit(event as string, ...values);
    response?.destroy(values[0] as Error);
    return isHandled;
  }
}
