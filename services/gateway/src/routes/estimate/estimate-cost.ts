import {
  CRAWL_DEFAULTS,
  type CreateJobRequest,
  countFetchedUrls,
  type Estimate,
  firstPriceOf,
  type ScrapeOptions,
  totalCredits,
  worstCreditsOf,
  worstPriceOf,
} from '@gleaner/contracts';

/** Cost of a request, and the number of its pages. */
export interface Cost extends Pick<Estimate, 'credits' | 'pages'> {
  /** Credits that the account must have for the request to be accepted. */
  readonly required: number;
}

/** Returns the cost of one page. */
export function costOfScrape(options: ScrapeOptions): Cost {
  const { worst, first } = pricesOf(options);
  const isCapped = worst < totalCredits(worstPriceOf(options));
  return {
    credits: { worst, expected: first, basis: isCapped ? 'maxCredits' : 'options' },
    pages: { atLeast: 1, atMost: 1 },
    required: worst,
  };
}

/** Returns the cost of a list of URLs, or of a crawl that begins with them. */
export async function costOfJob({ urls, crawl, ...options }: CreateJobRequest): Promise<Cost> {
  const { worst, first } = pricesOf(options);
  const count = await countFetchedUrls(urls, options);
  const required = count * worst;
  if (crawl) return { ...costOfCrawl(crawl, { worst, first, count }), required };
  const credits = { worst: required, expected: count * first, basis: 'urls' } as const;
  return { credits, pages: { atLeast: count, atMost: count }, required };
}

interface PagePrices {
  readonly worst: number;
  readonly first: number;
}

function pricesOf(options: ScrapeOptions): PagePrices {
  return { worst: worstCreditsOf(options), first: totalCredits(firstPriceOf(options)) };
}

function costOfCrawl(
  {
    limit = CRAWL_DEFAULTS.limit,
    maxCredits = Number.POSITIVE_INFINITY,
  }: NonNullable<CreateJobRequest['crawl']>,
  { worst, first, count }: PagePrices & { readonly count: number },
): Omit<Cost, 'required'> {
  const byLimit = limit * worst;
  // A page starts while the most that it may cost is left.
  const byCredits = Math.floor((maxCredits - worst) / first) + 1;
  const atMost = Math.min(limit, byCredits);
  return {
    credits: {
      worst: Math.min(byLimit, maxCredits),
      basis: maxCredits < byLimit ? 'maxCredits' : 'limit',
    },
    pages: { atLeast: Math.min(count, atMost), atMost },
  };
}
