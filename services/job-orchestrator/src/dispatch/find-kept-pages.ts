import type { KeptPage } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { PickedPage } from './picked-page.ts';

/** Kept pages by page id; null where the page is not kept any more. Pages that are to be fetched are left out. */
export type KeptPages = ReadonlyMap<string, KeptPage | null>;

/** Finds the pages of other jobs that pages are extracted from. */
export async function findKeptPages(
  picks: readonly PickedPage[],
  {
    stores,
  }: {
    readonly stores: {
      readonly snapshots: Pick<Stores['snapshots'], 'findPagesOf'>;
      readonly clock: Stores['clock'];
    };
  },
): Promise<KeptPages> {
  const found = new Map<string, KeptPage | null>();
  for (const [source, group] of Map.groupBy(picks, ({ job }) => job.extractOf)) {
    if (source === undefined) continue;
    const urls = group.map(({ page }) => page.url);
    const pages = await stores.snapshots.findPagesOf(source, urls, stores.clock.now());
    for (const { page } of group) found.set(page.id, pages.get(page.url) ?? null);
  }
  return found;
}
