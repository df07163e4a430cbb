import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Route } from '../route/route.ts';
import type { StageClock } from '../route/stage-clock.ts';

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
