import {
  type CreditsBreakdown,
  type Engine,
  engineFor,
  needsPlainFetch,
  priceOf,
  type RungName,
  type ScrapeRequest,
  screenshotOf,
  totalCredits,
} from '@gleaner/contracts';

/** One way to request a page. */
export interface Rung {
  readonly name: RungName;
  readonly engine: Engine;
  /** True for the rung that only requests with `proxy` have. */
  readonly needsProxy?: true;
}

/** All rungs, lowest first. A request climbs its rungs until one brings the page. */
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

/**
 * Returns the rungs for a request, lowest first: with antiBot all from its first one, those of browsers only where one can do what is asked for;
 * otherwise its own; none above `maxCredits`.
 */
export function rungsFor(request: ScrapeRequest): readonly Rung[] {
  const { maxCredits = Number.POSITIVE_INFINITY } = request;
  return allRungsFor(request).filter((rung) => highestPriceOf(rung, request) <= maxCredits);
}

/** Returns the lowest price of the rungs that `maxCredits` leaves out; undefined if it leaves out none. */
export function leastPriceBeyond(request: ScrapeRequest): number | undefined {
  const { maxCredits = Number.POSITIVE_INFINITY } = request;
  const prices = allRungsFor(request).map((rung) => highestPriceOf(rung, request));
  const beyond = prices.filter((price) => price > maxCredits);
  return beyond.length > 0 ? Math.min(...beyond) : undefined;
}

function allRungsFor(request: ScrapeRequest): readonly Rung[] {
  if (!request.antiBot) return ownRungsFor(request);
  if (needsPlainFetch(request)) return LADDER.filter(({ engine }) => engine === 'http');
  const engine = engineFor(request);
  return LADDER.filter(
    (rung) =>
      (engine === 'http' || rung.engine === engine) && (!rung.needsProxy || request.proxy !== undefined),
  );
}

/** Returns the highest price of a page from a rung, which includes the screenshot that was asked for. */
function highestPriceOf(rung: Rung, request: ScrapeRequest): number {
  return totalCredits(priceOfRung(rung, request, screenshotOf(request) ? { screenshot: '' } : {}));
}

/** Returns the rungs that a request has without antiBot: a plain fetch, a browser, or one after the other. */
function ownRungsFor(request: ScrapeRequest): readonly Rung[] {
  const first = engineFor(request) === 'http' ? 'plain' : 'browser';
  return LADDER.filter(({ name }) => name === first || (name === 'browser' && request.render === 'auto'));
}

/** Returns the price of a page from a rung. A screenshot is charged if it was taken, antiBot if it added the rung. */
export function priceOfRung(
  rung: Rung,
  request: ScrapeRequest,
  { screenshot }: { readonly screenshot?: string },
): CreditsBreakdown {
  return priceOf({
    render: rung.engine === 'browser',
    screenshot: screenshot !== undefined,
    proxy: request.proxy !== undefined,
    antiBot: !ownRungsFor(request).some(({ name }) => name === rung.name),
  });
}
