import { isTerminal } from '@gleaner/contracts';
import { compileFilter } from '@gleaner/frontier';
import type { JobProgress, StoredPage, Stores } from '@gleaner/storage';
import { type CrawlTerms, filterOf } from '../crawl/crawl-terms.ts';
import { insertLinks, type PlacedLink } from '../crawl/insert-links.ts';
import { KnownKeys } from '../crawl/known-keys.ts';
import { findBasePages } from './find-bases.ts';

/** Collaborators of adding unlinked pages. */
export interface UnlinkedDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
  readonly retentionMs: number;
}

const CHUNK = 500;
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;
/** States that say nothing about a page, so that the crawls before may have it. */
const STATES = ['succeeded', 'visited', 'failed', 'skipped', 'cancelled', 'waiting', 'running'] as const;

/**
 * Adds the pages of the crawls before that nothing led to in this one, to be fetched: they are gone, or unlinked. To be
 * called when no page is left; repeating it adds nothing. Returns false if it was done before, or the crawl is not
 * compared or was stopped.
 */
export async function addUnlinked(
  { id, status, crawl, totalUrls, cancelRequestedAt, resultBatches }: JobProgress,
  terms: CrawlTerms,
  { stores, retentionMs }: UnlinkedDeps,
): Promise<boolean> {
  const { since = [], isSwept, stoppedBy } = crawl ?? {};
  if (!crawl || since.length === 0 || isSwept || stoppedBy) return false;
  if (cancelRequestedAt || isTerminal(status)) return false;
  const expiresAt = new Date(stores.clock.nowMs() + retentionMs + PAGE_GRACE_MS);
  const { admit } = compileFilter(filterOf(terms, crawl.places));
  // Where a sitemap was not read, it is not known what it would have led to.
  const isSure = !crawl.warnings.some(({ code }) => code === 'SITEMAP_NOT_READ');
  let known = totalUrls;
  for (const jobId of since) {
    for await (const pages of pagesOf(jobId, stores)) {
      const keys = pages.flatMap(({ crawled }) => crawled?.key ?? []);
      const taken = new Set((await stores.pages.findKnown(id, keys)).map(({ key }) => key));
      const left = keys.filter((key) => !taken.has(key));
      const bases =
        left.length > 0 ? await findBasePages(since, left, stores) : new Map<string, StoredPage>();
      const links = [...bases.values()].flatMap(({ url, crawled }): PlacedLink[] => {
        const admission = admit(new URL(url));
        if (!('link' in admission)) return [];
        const depth = Math.max(1, crawled?.depth ?? 1);
        return [{ ...admission.link, depth, hops: 0, isUnlinked: isSure }];
      });
      const isBatched = resultBatches !== undefined;
      const target = { id, terms, totalUrls: known, hosts: crawl.hosts, isBatched };
      const { admitted } = await insertLinks(target, links, {
        ...{ stores, expiresAt },
        knownKeys: new KnownKeys(),
      });
      known += admitted;
    }
    const [before] = await stores.jobs.findProgress([jobId]);
    if (before && isWhole(before)) break;
  }
  if (known > totalUrls) await stores.jobs.countFound(id, known - totalUrls);
  await stores.jobs.noteSwept(id);
  return true;
}

/** Returns whether a crawl came to everything: it has every page that the crawls before it had, except those that were gone. */
function isWhole({ status, crawl }: JobProgress): boolean {
  const isSwept = (crawl?.since ?? []).length === 0 || crawl?.isSwept === true;
  return (status === 'completed' || status === 'partial') && isSwept && crawl?.stoppedBy === undefined;
}

async function* pagesOf(jobId: string, { pages }: UnlinkedDeps['stores']): AsyncGenerator<StoredPage[]> {
  let afterId = '';
  for (;;) {
    const chunk = await pages.findInOrder(jobId, { states: STATES, afterId, limit: CHUNK });
    if (chunk.length > 0) yield chunk;
    if (chunk.length < CHUNK) return;
    afterId = chunk.at(-1)?.id ?? '';
  }
}
