import {
  CRAWL_DEFAULTS,
  type CreateJobRequest,
  countFetchedUrls,
  type Estimate,
  firstPriceOf,
  type MapRequest,
  type ScrapeOptions,
  totalCredits,
  withDearestPages,
  worstCreditsOf,
  worstCreditsOfMap,
  worstPriceOf,
} from '@gleaner/contracts';

/** Cost of a request, and the number of its pages. */
export interface Cost extends Pick<Estimate, 'credits' | 'pages'> {
  /** Credits that the account must have for the request to be accepted. */
  readonly required: number;
}

/** Returns the cost of one page. */
export function costOfScrape(options: ScrapeOptions): Cost {
  const worst = worstCreditsOf(options);
  const isBounded = worst < totalCredits(worstPriceOf(options));
  return {
    credits: {
      worst,
      ...(hasKnownPrice(options) && { expected: firstCreditsOf(options) }),
      basis: isBounded ? 'maxCredits' : 'options',
    },
    pages: { atLeast: 1, atMost: 1 },
    required: worst,
  };
}

/** Returns the cost of a map: a credit for each page that it reads, but for its sitemaps. */
export function costOfMap(request: MapRequest): Cost {
  const worst = worstCreditsOfMap(request);
  const { maxCredits: _maxCredits, ...unbounded } = request;
  const first = Math.min(worst, 1);
  return {
    credits: {
      worst,
      ...(worst === first && { expected: worst }),
      basis: worst < worstCreditsOfMap(unbounded) ? 'maxCredits' : 'options',
    },
    pages: { atLeast: first, atMost: worst },
    required: worst,
  };
}

/** Returns the cost of a list of URLs, or of a crawl that begins with them. */
export async function costOfJob(request: CreateJobRequest): Promise<Cost> {
  const { urls: _urls, crawl, ...options } = withDearestPages(request, request.crawl);
  const count = await countFetchedUrls({ ...request, ...options });
  const { limit = CRAWL_DEFAULTS.limit, maxCredits } = crawl ?? { limit: count, ...options };
  const { credits, pages } = boundedCost(options, { limit, maxCredits, basis: crawl ? 'limit' : 'urls' });
  const required = Math.min(count * worstCreditsOf(options), credits.worst);
  const { atLeast, atMost } = pages;
  if (crawl) return { credits, pages: { atLeast: Math.min(count, atLeast), atMost }, required };
  if (!hasKnownPrice(options)) return { credits, pages, required };
  const expected = Math.min(count * firstCreditsOf(options), credits.worst);
  return { credits: { ...credits, expected }, pages, required };
}

/** Returns false where a model costs what its tokens cost. */
function hasKnownPrice({ extract }: ScrapeOptions): boolean {
  return extract?.maxCredits === undefined;
}

interface Bounds {
  /** Most pages. */
  readonly limit: number;
  readonly maxCredits: number | undefined;
  /** Name of the limit. */
  readonly basis: Estimate['credits']['basis'];
}

/** Returns the cost of as many pages as both bounds allow: one starts only while the most that it may cost is left. */
function boundedCost(
  options: ScrapeOptions,
  { limit, maxCredits = Number.POSITIVE_INFINITY, basis }: Bounds,
): Pick<Cost, 'credits' | 'pages'> {
  const [worst, first] = [worstCreditsOf(options), firstCreditsOf(options)];
  const byLimit = limit * worst;
  return {
    credits: {
      worst: Math.min(byLimit, maxCredits),
      basis: maxCredits < byLimit ? 'maxCredits' : basis,
    },
    pages: {
      atLeast: Math.min(limit, Math.floor(maxCredits / worst)),
      atMost: Math.min(limit, Math.floor((maxCredits - worst) / first) + 1),
    },
  };
}

/** Returns the cost of a page that succeeds at the first rung of its options. */
export function firstCreditsOf(options: ScrapeOptions): number {
  return totalCredits(firstPriceOf(options));
}
