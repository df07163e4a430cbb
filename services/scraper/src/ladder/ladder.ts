import {
  type CreditsBreakdown,
  type Engine,
  engineFor,
  priceOf,
  type RungName,
  type ScrapeRequest,
} from '@gleaner/contracts';

/** One way of asking for a page. */
export interface Rung {
  readonly name: RungName;
  readonly engine: Engine;
  /** Whether it is only for requests that go out through a proxy. */
  readonly needsProxy?: true;
}

/** What antiBot tries, in this order, until the page is there. */
export const LADDER: readonly Rung[] = [
  /** A fetch that says who we are. */
  { name: 'plain', engine: 'http' },
  /** A fetch with the headers, their order, the TLS and the HTTP/2 of Chrome. */
  { name: 'chrome', engine: 'http' },
  /** A browser, as it is. */
  { name: 'browser', engine: 'browser' },
  /** A browser that passes for one that somebody sits at. */
  { name: 'disguised', engine: 'browser' },
  /** The same, seen to come from elsewhere. */
  { name: 'next-proxy', engine: 'browser', needsProxy: true },
];

/** The rungs for a request, lowest first: one without antiBot, and none below the browser where it must render. */
export function rungsFor(request: ScrapeRequest): readonly Rung[] {
  const engine = engineFor(request);
  const rungs = LADDER.filter(
    (rung) =>
      (engine === 'http' || rung.engine === engine) && (!rung.needsProxy || request.proxy !== undefined),
  );
  return request.antiBot ? rungs : rungs.slice(0, 1);
}

/** What a page costs that a rung has brought: antiBot only where the request's own way did not do. */
export function priceOfRung(rung: Rung, request: ScrapeRequest): CreditsBreakdown {
  return priceOf({
    render: rung.engine === 'browser',
    screenshot: request.screenshot ?? false,
    proxy: request.proxy !== undefined,
    antiBot: rung.name !== rungsFor(request)[0]?.name,
  });
}
