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
export function sendByImpit(request: HopRequest, opening: Promise<ChromeSending>): SentRequest {
  const ending = new AbortController();
  const signal = AbortSignal.any([request.signal, ending.signal]);
  return { response: fetchByImpit(request, opening, signal), end: () => ending.abort() };
}

async function fetchByImpit(
  { hop, headers, clock, onSent }: HopRequest,
  opening: Promise<ChromeSending>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { impit, translate } = await opening;
  clock.enter('firstByte');
  // It does not say when it has connected.
  onSent();
  const all = { ...headers, ...PRIORITY };
  const omitted = PROFILE_HEADERS.filter((name) => !(name in all)).map((name): [string, string] => [
    name,
    '',
  ]);
  try {
    const response = await impit.fetch(hop.url, {
      method: hop.method as 'GET',
      headers: [...Object.entries(all), ...omitted],
      redirect: 'manual',
      signal,
      ...(hop.body && { body: hop.body }),
    });
    return toResponse(response, (error) => translate(error, hop.url));
  } catch (error) {
    throw translate(error, hop.url);
  }
}

function toResponse(
  { status, headers, body }: ImpitResponse,
  translate: (error: unknown) => unknown,
): HttpResponse {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    if (DECODED_HEADERS.has(name) || name === 'set-cookie') continue;
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const setCookie = headers.getSetCookie();
  const readable = Readable.from(translated(readToEnd(body, headers), translate), { objectMode: false });
  // Ignore errors after the response has been read or given up.
  readable.on('error', () => {});
  return {
    statusCode: status,
    headers: { ...Object.fromEntries(joined), ...(setCookie.length > 0 && { 'set-cookie': setCookie }) },
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

interface Translation {
  /** Matches the name and message of an error of impit, which quotes rustls and hyper. */
  readonly pattern: RegExp;
  /** Node's code for the same error. */
  readonly code: string;
}

/** The first match counts. */
const TRANSLATIONS: readonly Translation[] = [
  { pattern: /InvalidCertificate\(\s*Expired/, code: 'CERT_HAS_EXPIRED' },
  { pattern: /InvalidCertificate\(\s*NotValidYet/, code: 'CERT_NOT_YET_VALID' },
  { pattern: /InvalidCertificate\(\s*NotValidForName/, code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { pattern: /InvalidCertificate/, code: 'CERT_UNTRUSTED' },
  // A connection that ends without TLS's close_notify (RFC 8446 section 6.1) before the end of the response.
  { pattern: /close_notify|ConnectionReset|BrokenPipe/, code: 'ECONNRESET' },
  {
    pattern: /AlertReceived|PeerIncompatible|PeerMisbehaved|InvalidMessage|received corrupt message|TLS/,
    code: 'EPROTO',
  },
  // Not hyper's error: the body was complete, and its decoder rejected it.
  {
    pattern: /kind: Decode, source: reqwest::Error \{ kind: Body, source: (?!hyper)/,
    code: 'ERR__ERROR_DECODING',
  },
  { pattern: /^DecodingError/, code: 'ERR__ERROR_DECODING' },
  { pattern: /Timeout/, code: 'ETIMEDOUT' },
  { pattern: /http2 error|h2::/i, code: 'ERR_HTTP2_ERROR' },
  { pattern: /Parse\(\s*TooLarge/, code: 'HPE_HEADER_OVERFLOW' },
  { pattern: /Parse\(|invalid HTTP/, code: 'HPE_INVALID' },
  {
    pattern:
      /^(?:Network|Connect|Read|Write|Close|Protocol|RemoteProtocol|ProxyTunnel|Request|Transport|Stream)/,
    code: 'ECONNRESET',
  },
];

/** Returns an error of impit as node would have thrown it, without its message, which contains Rust's structures. */
export function translateImpitError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const text = `${error.constructor.name}: ${error.message}`;
  const code = TRANSLATIONS.find((translation) => translation.pattern.test(text))?.code;
  return code === undefined ? error : Object.assign(new Error(`impit: ${code}`), { code });
}
