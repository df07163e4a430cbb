import { isTerminal, jobIdOf, takingTurns } from '@gleaner/contracts';
import { type CompiledFilter, compileFilter } from '@gleaner/frontier';
import type { JobProgress, StoredPage, Stores } from '@gleaner/storage';
import { type CrawlTerms, filterOf } from '../crawl/crawl-terms.ts';
import { type CrawlToFill, insertLinks, type PlacedLink } from '../crawl/insert-links.ts';
import { KnownKeys } from '../crawl/known-keys.ts';
import type { InSteps } from '../steps.ts';
import { findBasePages } from './find-bases.ts';

/** Collaborators of adding unlinked pages. */
export interface UnlinkedDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
  readonly retentionMs: number;
}

const CHUNK = 200;
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;
/** All states but `missing`: a page without a result here may have one in the crawl before. */
const STATES = ['succeeded', 'visited', 'failed', 'skipped', 'cancelled', 'waiting', 'running'] as const;

/**
 * Adds the pages of the crawls before that nothing led to in this one, to be fetched: they are gone, or unlinked. To be
 * called when no page is left, until it has noted that it is done; repeating it adds nothing, and continues where a process
 * that died had come to. Returns false if it was done before, or the crawl is not compared or was stopped.
 */
export async function addUnlinked(
  job: JobProgress,
  terms: CrawlTerms,
  deps: UnlinkedDeps,
  inSteps: InSteps,
): Promise<boolean> {
  const { id, status, crawl, cancelRequestedAt } = job;
  const { stores } = deps;
  const { since = [], isSwept, stoppedBy, sweptTo = '' } = crawl ?? {};
  if (!crawl || since.length === 0 || isSwept || stoppedBy) return false;
  if (cancelRequestedAt || isTerminal(status)) return false;
  const begunWith = sweptTo === '' ? undefined : jobIdOf(sweptTo);
  const target = {
    id,
    terms,
    hosts: crawl.hosts,
    isBatched: job.resultBatches !== undefined,
    expiresAt: new Date(stores.clock.nowMs() + deps.retentionMs + PAGE_GRACE_MS),
    filter: compileFilter(filterOf(terms, crawl.places)),
    // Where a sitemap was not read, it is not known what it would have led to.
    isSure: !crawl.warnings.some(({ code }) => code === 'SITEMAP_NOT_READ'),
    since,
  };
  let totalUrls = job.totalUrls;
  for (const jobId of since.slice(begunWith === undefined ? 0 : since.indexOf(begunWith))) {
    let afterId: string | undefined = jobId === begunWith ? sweptTo : '';
    while (afterId !== undefined) {
      const from: string = afterId;
      afterId = await inSteps(async () => {
        const pages = await stores.pages.findInOrder(jobId, { states: STATES, afterId: from, limit: CHUNK });
        const last = pages.at(-1);
        if (!last) return undefined;
        const added = await addPages(pages, { ...target, totalUrls }, deps);
        totalUrls += added;
        await stores.jobs.noteSweep(id, { sweptTo: last.id, added });
        return last.id;
      });
    }
    const [before] = await stores.jobs.findProgress([jobId]);
    if (before && isWhole(before)) break;
  }
  await stores.jobs.noteSwept(id);
  return true;
}

/** A crawl that unlinked pages are added to. */
interface SweptCrawl extends CrawlToFill {
  readonly since: readonly string[];
  readonly filter: CompiledFilter;
  readonly isSure: boolean;
  readonly expiresAt: Date;
}

/** Adds pages of an earlier crawl, except those in this one; returns their number. */
async function addPages(
  pages: readonly StoredPage[],
  { since, filter, isSure, expiresAt, ...target }: SweptCrawl,
  { stores }: UnlinkedDeps,
): Promise<number> {
  const keys = pages.flatMap(({ crawled }) => crawled?.key ?? []);
  const taken = new Set((await stores.pages.findKnown(target.id, keys)).map(({ key }) => key));
  const left = keys.filter((key) => !taken.has(key));
  if (left.length === 0) return 0;
  const links: PlacedLink[] = [];
  const takeTurns = takingTurns();
  for (const { url, crawled } of (await findBasePages(since, left, stores)).values()) {
    const admission = await filter.admitInTurns(new URL(url), takeTurns);
    const depth = Math.max(1, crawled?.depth ?? 1);
    if ('link' in admission) links.push({ ...admission.link, depth, hops: 0, isUnlinked: isSure });
    await takeTurns();
  }
  return (await insertLinks(target, links, { stores, expiresAt, knownKeys: new KnownKeys() })).admitted;
}

/** Returns whether a crawl came to everything: it has every page that the crawls before it had, except those that were gone. */
function isWhole({ status, crawl }: JobProgress): boolean {
  const isSwept = (crawl?.since ?? []).length === 0 || crawl?.isSwept === true;
  return (status === 'completed' || status === 'partial') && isSwept && crawl?.stoppedBy === undefined;
}
