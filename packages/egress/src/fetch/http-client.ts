import type { Cookie } from '@gleaner/contracts';
import type { Route } from '../route/route.ts';
import type { Timings } from './stage-clock.ts';

/** A page to fetch. */
export interface FetchRequest {
  readonly url: string;
  /** Default GET. Requests that are not idempotent are never repeated. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  readonly body?: Uint8Array;
  /** When the answer is no longer wanted, in milliseconds since 1970; the signal may end it earlier. */
  readonly deadlineMs?: number;
  /** The way out, through a proxy for one; the client's own unless given. Connections are kept for each route. */
  readonly route?: Route;
  /**
   * Asked before the fetch holds this many bytes of a body at once; the body is read on when the promise resolves.
   * For callers who bound the memory of many fetches.
   */
  readonly makeRoom?: MakeRoom;
}

/** Waits until so many bytes may be held, or until the signal aborts; undefined where there is nothing to wait for. */
export type MakeRoom = (bytes: number, signal: AbortSignal) => Promise<void> | undefined;

/** What a URL led to, whatever its status. */
export interface FetchedPage {
  /** As it was asked for. */
  readonly url: string;
  /** Where the redirects ended. */
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  readonly statusCode: number;
  /** Lower-case names; repeated fields joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, at most the cap; where the status is not 2xx, as much of its beginning as came. */
  readonly body: Buffer;
  /** The address that answered. */
  readonly remoteAddress: string | undefined;
  readonly timings: Timings;
}

/** A hop that sent us on. */
export interface Redirect {
  readonly url: string;
  readonly statusCode: number;
}

/** Fetches pages within the policy. */
export interface HttpClient {
  /**
   * Throws INVALID_URL, INVALID_REQUEST, UNSUPPORTED_CONTENT (over the cap), UPSTREAM_ERROR, what the route throws, TIMEOUT
   * naming the stage at the deadline, and the signal's own reason when it ends the fetch before.
   */
  fetchPage(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage>;
  /** Closes kept connections. */
  close(): void;
}
