import type { PageCommand, PageCrawl, PageOutcome, ScrapeOptions } from '@gleaner/contracts';
import { eventually, type Origin } from '@gleaner/test-kit';
import type { TestScraper } from './start-test-scraper.ts';

type Outcome = PageOutcome['outcome'];

let count = 0;

/** Sends a page of a crawl of the site, as the orchestrator does, and returns its outcome. */
export async function crawlPage(
  scraper: TestScraper,
  site: Origin,
  path: string,
  {
    filter = {},
    options = {},
    ...crawl
  }: Partial<Omit<PageCrawl, 'filter'>> & {
    readonly filter?: Partial<PageCrawl['filter']>;
    readonly options?: ScrapeOptions & { readonly command?: Partial<PageCommand> };
  } = {},
): Promise<Outcome> {
  count += 1;
  const pageId = `job_crawl:${count}`;
  const { command, ...request } = options;
  await scraper.sendPage(
    { url: site.url + path, ...request },
    {
      jobId: 'job_crawl',
      pageId,
      crawl: {
        purpose: 'page',
        follow: true,
        filter: {
          scope: 'host',
          places: [new URL(site.url).host],
          obeysNofollow: true,
          ...filter,
        },
        ...crawl,
      },
      ...command,
    },
  );
  let outcome: Outcome | undefined;
  await eventually(() => {
    const outcomes = [...scraper.outcomes, ...scraper.largeOutcomes];
    outcome = outcomes.find((each) => each.pageId === pageId)?.outcome;
    if (!outcome) throw new Error(`The page ${path} has no outcome yet.`);
  });
  return outcome as unknown as Outcome;
}

/** Returns the outcome of a kind. Throws for another one. */
export function outcomeOf<Kind extends Outcome['kind']>(
  kind: Kind,
  outcome: Outcome,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind !== kind) throw new Error(`Not ${kind}: ${JSON.stringify(outcome)}`);
  return outcome as Extract<Outcome, { kind: Kind }>;
}
