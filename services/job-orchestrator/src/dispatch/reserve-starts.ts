import { AppError, type Failure, toFailure } from '@gleaner/contracts';
import type { StartBounds, Stores } from '@gleaner/storage';
import { filterOf } from '../crawl/crawl-terms.ts';
import type { SpentJob } from '../finish/finisher.ts';
import type { PickedPage } from './picked-page.ts';

/** Reserves the start of pages of bounded jobs that have never been sent, within the bounds of each; leaves out the others. */
export async function reserveStarts(
  picks: readonly PickedPage[],
  { stores }: { readonly stores: Pick<Stores, 'jobs'> },
): Promise<{ readonly reserved: readonly PickedPage[]; readonly spent: readonly SpentJob[] }> {
  const spent: SpentJob[] = [];
  const left = new Set<PickedPage>();
  const starting = picks.filter(
    ({ job, page }) => job.bounds && page.attempt === 0 && !page.crawled?.purpose,
  );
  for (const [job, group] of Map.groupBy(starting, (pick) => pick.job)) {
    const { bounds, crawl } = job;
    if (!bounds) continue;
    const { granted, refusedBecause, pages } = await stores.jobs.reserveStarts(job.id, group.length, bounds);
    for (const pick of group.slice(granted)) left.add(pick);
    if (refusedBecause && pages) {
      const rest = crawl ? { reason: refusedBecause } : { failure: budgetSpent(bounds) };
      spent.push({ jobId: job.id, pages, bounds, ...rest });
    }
    if (crawl && pages?.places) crawl.filter = filterOf(crawl.terms, pages.places);
  }
  return { reserved: picks.filter((pick) => !left.has(pick)), spent };
}

function budgetSpent({ maxCredits, creditsPerPage }: StartBounds): Failure {
  return toFailure(
    new AppError('INSUFFICIENT_CREDITS', {
      message: `The page was not fetched: it may cost ${creditsPerPage}, and less is left of the job's maxCredits of ${maxCredits}.`,
      suggestion: 'Create a job for the pages that failed, or one with a higher maxCredits.',
    }),
  );
}
