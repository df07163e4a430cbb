import type { Cookie } from '@gleaner/contracts';
import type { ChooseSink, MakeRoom } from '../body/read-body.ts';
import type { HopCookies } from '../request/create-cookie-jar.ts';
import type { Route } from '../route/route.ts';
import type { StageClock, Timings } from '../route/stage-clock.ts';

/** A page to fetch. */
export interface FetchRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: string;
  /**
   * False for a request that must not be sent twice: it is repeated only while no byte of it was sent, and fails with
   * OUTCOME_UNKNOWN where its answer does not come. By default requests with methods that are not idempotent are never repeated.
   */
  readonly repeatable?: boolean;
  /** Called when bytes of the request may have been sent. */
  readonly onSent?: () => void;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  /** Jar to use instead of one with `cookies`; it keeps what the hops set. */
  readonly jar?: HopCookies;
  readonly body?: Uint8Array;
  /** Deadline in milliseconds since 1970; the signal may end the fetch earlier. */
  readonly deadlineMs?: number;
  /** Opens connections, for example through a proxy; by default the client's own. Connections are kept for each route. */
  readonly route?: Route;
  /** Returns false for the target of a redirect that must not be requested: the redirect is then the response. */
  readonly mayFollow?: (url: URL) => boolean;
  /**
   * Called before the fetch holds this many bytes of a body at once; reading continues when the promise resolves.
   * For callers that bound the memory of many fetches.
   */
  readonly makeRoom?: MakeRoom;
  /** Takes bodies that need not be held: the page then has the beginning of its body only. Not of statuses that are errors. */
  readonly chooseSink?: ChooseSink;
  /** Is told the stages of the fetch, for callers that measure more than it; by default one of its own. */
  readonly clock?: StageClock;
}

/** A fetched page of any status. */
export interface FetchedPage {
  /** As requested. */
  readonly url: string;
  /** URL after all redirects. */
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** URL that the response redirects to, if it was not followed because of `mayFollow`. */
  readonly redirectsTo?: string;
  readonly statusCode: number;
  /** Lower-case names; repeated fields joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, at most the cap; when the status is not 2xx, as much of its beginning as arrived. */
  readonly body: Buffer;
  /** Address that sent the response. */
  readonly remoteAddress: string | undefined;
  readonly timings: Timings;
}

/** A hop that redirected. */
export interface Redirect {
  readonly url: string;
  readonly statusCode: number;
}

/** Fetches pages that the policy allows. */
export interface HttpClient {
  /**
   * Throws INVALID_URL, INVALID_REQUEST, OUTCOME_UNKNOWN, UNSUPPORTED_CONTENT (over the cap), UPSTREAM_ERROR, what the route throws, TIMEOUT
   * naming the stage at the deadline, and the signal's own reason when it aborts earlier.
   */
  fetchPage(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
  /** Closes kept connections. */
  close(): void;
}
