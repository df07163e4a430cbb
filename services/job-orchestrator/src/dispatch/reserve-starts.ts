import type { Stores } from '@gleaner/storage';
import { filterOf } from '../crawl/crawl-terms.ts';
import type { SpentCrawl } from '../finish/finisher.ts';
import type { PickedPage } from './picked-page.ts';

/** Reserves the start of pages of crawls that have never been sent, within the bounds of each; leaves out the others. */
export async function reserveStarts(
  picks: readonly PickedPage[],
  { stores }: { readonly stores: Pick<Stores, 'jobs'> },
): Promise<{ readonly reserved: readonly PickedPage[]; readonly spent: readonly SpentCrawl[] }> {
  const spent: SpentCrawl[] = [];
  const left = new Set<PickedPage>();
  const starting = picks.filter(({ job, page }) => job.crawl && page.attempt === 0 && !page.crawled?.purpose);
  for (const [job, group] of Map.groupBy(starting, (pick) => pick.job)) {
    if (!job.crawl) continue;
    const { granted, refusedBecause, crawl } = await stores.jobs.reserveStarts(
      job.id,
      group.length,
      job.crawl.bounds,
    );
    for (const pick of group.slice(granted)) left.add(pick);
    if (refusedBecause && crawl) spent.push({ jobId: job.id, reason: refusedBecause, crawl });
    if (crawl) job.crawl.filter = filterOf(job.crawl.terms, crawl.places);
  }
  return { reserved: picks.filter((pick) => !left.has(pick)), spent };
}
