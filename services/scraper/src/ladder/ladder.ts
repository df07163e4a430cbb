import {
  type CreditsBreakdown,
  type Engine,
  engineFor,
  priceOf,
  type RungName,
  type ScrapeRequest,
} from '@gleaner/contracts';

/** One way to request a page. */
export interface Rung {
  readonly name: RungName;
  readonly engine: Engine;
  /** True for the rung that only requests with `proxy` have. */
  readonly needsProxy?: true;
}

/** The rungs that antiBot climbs, lowest first, until one brings the page. */
export const LADDER: readonly Rung[] = [
  /** A fetch that identifies itself as Gleaner. */
  { name: 'plain', engine: 'http' },
  /** A fetch with the headers, their order, the TLS and the HTTP/2 of Chrome. */
  { name: 'chrome', engine: 'http' },
  /** Chromium without a disguise. */
  { name: 'browser', engine: 'browser' },
  /** Chromium that looks like a person's browser. */
  { name: 'disguised', engine: 'browser' },
  /** The same through another proxy of the country. */
  { name: 'next-proxy', engine: 'browser', needsProxy: true },
];

/** Returns the rungs for a request, lowest first: only the first without antiBot, only browser rungs when it renders. */
export function rungsFor(request: ScrapeRequest): readonly Rung[] {
  const engine = engineFor(request);
  const rungs = LADDER.filter(
    (rung) =>
      (engine === 'http' || rung.engine === engine) && (!rung.needsProxy || request.proxy !== undefined),
  );
  return request.antiBot ? rungs : rungs.slice(0, 1);
}

/** Returns the price of a page from a rung; antiBot is charged only above the request's first rung. */
export function priceOfRung(rung: Rung, request: ScrapeRequest): CreditsBreakdown {
  return priceOf({
    render: rung.engine === 'browser',
    screenshot: request.screenshot ?? false,
    proxy: request.proxy !== undefined,
    antiBot: rung.name !== rungsFor(request)[0]?.name,
  });
}
