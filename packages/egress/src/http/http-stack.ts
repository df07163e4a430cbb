import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Route } from '../route/route.ts';
import type { StageClock } from '../route/stage-clock.ts';
import { createConnections } from './connections.ts';
import { sendOverHttp1 } from './http1-request.ts';

/** One implementation of HTTP and TLS, by which requests are sent. */
export interface HttpStack {
  /** Opens a sender for all hops and attempts of one fetch, over this route. */
  open(route: Route): RequestSender;
  /** Returns the headers of every request that the caller does not set, in order; names in lower case. */
  defaultHeaders(url: URL, own: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Closes idle connections; requests under way end by their own signals. */
  close(): void;
}

/** Sends the requests of one fetch. */
export interface RequestSender extends AsyncDisposable {
  send(request: HopRequest): SentRequest;
}

/** One request of a fetch: the first, or one that a redirect asked for. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  /** The caller's own headers, by lower-case names, without cookies of the jar. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** A hop that is ready to be sent; its URL has passed the policy. */
export interface HopRequest {
  readonly hop: Hop;
  /** All headers, by lower-case names, in the order in which they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly clock: StageClock;
  /** False for one that must not be sent twice: it gets a connection of its own, since a kept one may break under it. */
  readonly isRepeatable: boolean;
  /** Called when bytes of the request may have been sent; at the latest before the response is there, or its error. */
  readonly onSent: () => void;
}

/** A request that has been sent. */
export interface SentRequest {
  /** Rejects with an error that `explainFailure` can put into words. */
  readonly response: Promise<HttpResponse>;
  /** Ends the request in whatever state it is; its connection is kept only if the response was read to its end. */
  end(): void;
}

/** A response whose head has arrived; its body is still to be read, as it came over the wire. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
  readonly body: Readable;
}

interface PlainStackDeps {
  readonly userAgent?: string;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

/** Headers of every plain request that its caller does not set. */
export const PLAIN_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Mozilla/5.0 (compatible; Gleaner/0.1; self-hosted web data extraction)',
};

/** Creates the stack that identifies itself as Gleaner: HTTP/1.1 over our own connections, kept for the next request. */
export function createPlainStack({ userAgent, certificateAuthorities }: PlainStackDeps): HttpStack {
  const connections = createConnections(certificateAuthorities);
  const headers = { ...PLAIN_HEADERS, ...(userAgent !== undefined && { 'user-agent': userAgent }) };
  return {
    open: (route) => ({
      send(request) {
        request.clock.enter('firstByte');
        return sendOverHttp1(request, connections.over(route, request.hop.url, request));
      },
      async [Symbol.asyncDispose]() {
        // The connections belong to the stack, which keeps them for the next request.
      },
    }),
    defaultHeaders: () => headers,
    close: connections.close,
  };
}
