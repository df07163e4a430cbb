import type { Hop } from '../fetch/next-hop.ts';
import type { Answer } from '../fetch/send-request.ts';
import type { StageClock } from '../fetch/stage-clock.ts';
import type { Route } from '../route/route.ts';

/** One request, ready to go; its URL has passed the policy. */
export interface Parcel {
  readonly hop: Hop;
  /** Lower-case names, in the order in which they were put together. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly clock: StageClock;
}

/** A request on its way. */
export interface CarriedRequest {
  /** Rejects with what `explainFailure` can put into words. */
  readonly answer: Promise<Answer>;
  /** Ends it, whatever state it is in, and gives its connection back. */
  end(outcome: 'completed' | 'failed'): void;
}

/** Carries the requests of one fetch. */
export interface Carriage extends AsyncDisposable {
  send(parcel: Parcel): Promise<CarriedRequest>;
}

/** How requests travel: which HTTP and TLS are spoken, and by what. */
export interface Carrier {
  /** For one fetch, all its hops and attempts, which go by this route. */
  open(route: Route): Carriage;
  /** What every request says unless the caller says otherwise, in order; names in lower case. */
  defaultHeaders(url: URL, own: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Closes what is idle; requests under way end by their own signals. */
  close(): void;
}
