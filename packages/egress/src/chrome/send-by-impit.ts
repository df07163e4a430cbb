import { Readable } from 'node:stream';
import type { Impit, ImpitResponse } from 'impit';
import type { HopRequest, HttpResponse, SentRequest } from '../http/http-stack.ts';

/** Dependencies of `sendByImpit`. */
export interface ChromeSending {
  readonly impit: Impit;
  /** Translates an error of impit into one that `explainFailure` understands. */
  readonly translate: (error: unknown, url: URL) => unknown;
}

/** Headers that impit adds from its profile; an empty value removes them. */
const PROFILE_HEADERS = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];

/** Sent by Chrome over HTTP/2, after everything else (RFC 9218). */
const PRIORITY = { priority: 'u=0, i' };

/** Headers about codings that impit has already decoded. */
const DECODED_HEADERS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

/** Sends an https request with Chrome's TLS and HTTP/2. */
export function sendByImpit(
  { hop, headers, signal }: HopRequest,
  { impit, translate }: ChromeSending,
): SentRequest {
  const ending = new AbortController();
  const bound = AbortSignal.any([signal, ending.signal]);
  const all = { ...headers, ...PRIORITY };
  const omitted = PROFILE_HEADERS.filter((name) => !(name in all)).map((name): [string, string] => [
    name,
    '',
  ]);
  const response = impit
    .fetch(hop.url, {
      method: hop.method as 'GET',
      headers: [...Object.entries(all), ...omitted],
      redirect: 'manual',
      signal: bound,
      ...(hop.body && { body: hop.body }),
    })
    .then(
      (head) => toResponse(head, (error) => translate(error, hop.url)),
      (error: unknown) => {
        throw translate(error, hop.url);
      },
    );
  // The caller may end the request before it waits for the response.
  response.catch(() => {});
  return { response, end: () => ending.abort() };
}

function toResponse(
  { status, headers, body }: ImpitResponse,
  translate: (error: unknown) => unknown,
): HttpResponse {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    if (DECODED_HEADERS.has(name)) continue;
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const readable = Readable.from(translated(readToEnd(body, headers), translate), { objectMode: false });
  // Ignore errors after the response has been read or given up.
  readable.on('error', () => {});
  return {
    statusCode: status,
    headers: Object.fromEntries(joined),
    setCookie: headers.getSetCookie(),
    remoteAddress: undefined,
    body: readable,
  };
}

async function* translated(
  body: AsyncIterable<Uint8Array>,
  translate: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw translate(error);
  }
}

/** Message of hyper for an HTTP/1 connection that was closed without TLS's close_notify; HTTP/2 has its own. */
const CLOSED_WITHOUT_CLOSE_NOTIFY =
  /hyper::Error\(Body, Custom \{ kind: UnexpectedEof, error: "peer closed .*close_notify/;

/** Headers that tell whether a body is complete. */
const ENDING_HEADERS = ['content-length', 'transfer-encoding', 'content-encoding'];

/**
 * Reads a body of impit to its end. Many servers close a connection without TLS's close_notify (RFC 8446 section 6.1): as
 * in browsers, that ends a body without another end.
 */
export async function* readToEnd(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    const hasOtherEnd = ENDING_HEADERS.some((name) => headers.has(name));
    if (hasOtherEnd || !(error instanceof Error) || !CLOSED_WITHOUT_CLOSE_NOTIFY.test(error.message))
      throw error;
  }
}
