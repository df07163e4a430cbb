import type { PageCrawl } from '@gleaner/contracts';
import { validatorsOf } from '../compare/compare-page.ts';
import { type BaseReader, findBases } from '../compare/find-bases.ts';
import type { PickedPage } from './picked-page.ts';

/** Validators by page id, of pages that need not be read if they have not been modified. */
export type Validators = ReadonlyMap<string, PageCrawl['validators']>;

/** Finds the validators that pages had in earlier crawls. Only first attempts have any: others fetch the page whole. */
export async function findValidators(
  picks: readonly PickedPage[],
  { stores }: { readonly stores: BaseReader },
): Promise<Validators> {
  const found = new Map<string, PageCrawl['validators']>();
  const compared = picks.filter(({ job, page }) => {
    const isFirst = page.failures === 0 && page.losses === 0 && page.crawled && !page.crawled.purpose;
    // A page that is to be kept has to come.
    return (
      isFirst && job.crawl && job.terms.since.length > 0 && !job.options.snapshot && !job.options.download
    );
  });
  for (const [{ terms, crawl, options }, group] of Map.groupBy(compared, ({ job }) => job)) {
    if (!crawl) continue;
    const keys = group.flatMap(({ page }) => page.crawled?.key ?? []);
    const bases = await findBases(terms.since, keys, stores);
    for (const { page } of group) {
      const base = bases.get(page.crawled?.key ?? '');
      if (!base || !page.crawled) continue;
      const compare = { options, crawl: crawl.terms, hash: terms.hash };
      found.set(page.id, validatorsOf(compare, page.crawled, base));
    }
  }
  return found;
}
