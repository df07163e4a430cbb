import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import got from 'got';
import type { Http1Passage } from '../transport/create-transport.ts';
import type { Hop } from './next-hop.ts';

/** An answer whose head has arrived; its body is still to be read, as it came over the wire. */
export interface Answer {
  readonly statusCode: number;
  /** Lower-case names; repeated fields joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookie: readonly string[];
  readonly remoteAddress: string | undefined;
  readonly body: Readable;
}

/** A request on its way. */
export interface SentRequest {
  /** Rejects with an error whose `code` is the cause's. */
  readonly answer: Promise<Answer>;
  /** Ends it, whatever state it is in. */
  destroy(): void;
}

/** One request, and the way that it takes. */
export interface Sending {
  readonly hop: Hop;
  readonly headers: Readonly<Record<string, string>>;
  readonly passage: Http1Passage;
  readonly signal: AbortSignal;
}

/** got does the HTTP; where to go, when to repeat and what to believe is decided around it. */
const transfer = got.extend({
  isStream: true,
  followRedirect: false,
  throwHttpErrors: false,
  decompress: false,
  retry: { limit: 0 },
});

/** Sends one request over HTTP/1.1; the signal ends it, its body included. */
export function sendRequest({ hop, headers, passage, signal }: Sending): SentRequest {
  const stream = transfer.stream(hop.url, {
    method: hop.method as 'GET',
    headers: { ...headers },
    ...(hop.body ? { body: hop.body } : {}),
    ...passage.options,
  });
  // A stream that fails after nobody listens any more has told all that it can.
  stream.on('error', () => {});
  const destroy = () => {
    signal.removeEventListener('abort', destroy);
    stream.destroy();
  };
  signal.addEventListener('abort', destroy, { once: true });
  const answer = once(stream, 'response', { signal }).then(([response]) =>
    toAnswer(response, { remoteAddress: response.ip, body: stream }),
  );
  return { answer, destroy };
}

/** The head that node gives, with what it does not know. */
export function toAnswer(
  {
    statusCode = 0,
    headers,
  }: { readonly statusCode?: number | undefined; readonly headers: IncomingHttpHeaders },
  rest: Pick<Answer, 'remoteAddress' | 'body'>,
): Answer {
  return { statusCode, headers: joinHeaders(headers), setCookie: headers['set-cookie'] ?? [], ...rest };
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}
