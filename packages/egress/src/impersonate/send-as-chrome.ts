import { Readable } from 'node:stream';
import type { Impit, ImpitResponse } from 'impit';
import type { CarriedRequest, Parcel } from '../carrier/carrier.ts';
import type { Answer } from '../fetch/send-request.ts';
import { readToEnd } from './read-to-end.ts';

/** What sending takes. */
export interface ChromeSending {
  readonly impit: Impit;
  /** Puts a failure of impit into terms that `explainFailure` knows. */
  readonly translate: (fault: unknown, url: URL) => unknown;
}

/** impit adds what its profile says; naming it empty leaves it out. */
const PROFILE_HEADERS = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];

/** Sent by Chrome over HTTP/2, after everything else (RFC 9218). */
const PRIORITY = { priority: 'u=0, i' };

/** What impit has undone by the time that we read. */
const UNDONE_HEADERS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

/** Sends an https request with Chrome's TLS and HTTP/2. */
export function sendAsChrome(
  { hop, headers, signal }: Parcel,
  { impit, translate }: ChromeSending,
): CarriedRequest {
  const ending = new AbortController();
  const bound = AbortSignal.any([signal, ending.signal]);
  const all = { ...headers, ...PRIORITY };
  const left = PROFILE_HEADERS.filter((name) => !(name in all)).map((name): [string, string] => [name, '']);
  const answer = impit
    .fetch(hop.url, {
      method: hop.method as 'GET',
      headers: [...Object.entries(all), ...left],
      redirect: 'manual',
      signal: bound,
      ...(hop.body && { body: hop.body }),
    })
    .then(
      (response) => toAnswer(response, (fault) => translate(fault, hop.url)),
      (fault: unknown) => {
        throw translate(fault, hop.url);
      },
    );
  // Whoever has ended it does not wait for it.
  answer.catch(() => {});
  return { answer, end: () => ending.abort() };
}

function toAnswer({ status, headers, body }: ImpitResponse, translate: (fault: unknown) => unknown): Answer {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    if (UNDONE_HEADERS.has(name)) continue;
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const readable = Readable.from(translated(readToEnd(body, headers), translate), { objectMode: false });
  // One that fails after nobody listens any more has told all that it can.
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
  translate: (fault: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (fault) {
    throw translate(fault);
  }
}
