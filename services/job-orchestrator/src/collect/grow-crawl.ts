import type { CrawlWarning, DropReason } from '@gleaner/contracts';
import { inBackground, type Logger } from '@gleaner/service-kit';
import type { NewCrawlFile, Stores } from '@gleaner/storage';
import type { KnownLinks } from '../compare/compare-page.ts';
import { isStartPage } from '../crawl/crawl-terms.ts';
import { type InsertLinksDeps, insertLinks } from '../crawl/insert-links.ts';
import { closePattern, isWanted, type PatternWatch, skipPattern } from '../crawl/pattern-watch.ts';
import type { Finisher } from '../finish/finisher.ts';
import type { OpenCrawl } from './collected-outcome.ts';
import type { Decision } from './consequences.ts';

/** Collaborators of growing crawls. */
export interface GrowCrawlDeps extends Pick<InsertLinksDeps, 'knownKeys'> {
  readonly patterns: PatternWatch;
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'fingerprints'>;
  readonly finisher: Pick<Finisher, 'add' | 'inSteps'>;
  readonly logger: Logger;
  readonly retentionMs: number;
}

/** Additions of pages of one crawl to its frontier. */
export interface FrontierAdditions {
  readonly admitted: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
}

const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/** Links that look endless by themselves. */
const ENDLESS: CrawlWarning = {
  code: 'ENDLESS_LINKS',
  message:
    'Links that look endless were not followed: too long, or with a segment or parameter that repeats. crawl.dropped.trap counts them.',
};

/**
 * Stores, durably, the pages that outcomes of one crawl lead to. The ends of its pages must be stored only afterwards: a
 * page that has ended has left nothing undiscovered, and so a crawl without waiting or running pages is complete.
 */
export async function growCrawl(
  crawl: OpenCrawl,
  decisions: readonly Decision[],
  deps: GrowCrawlDeps,
): Promise<FrontierAdditions> {
  const { stores, knownKeys, retentionMs, patterns } = deps;
  const { progress, terms } = crawl;
  const { id, totalUrls } = progress;
  await notePatterns(crawl, decisions, deps);
  const dropped = sumDropped(decisions);
  const expiresAt = new Date(stores.clock.nowMs() + retentionMs + PAGE_GRACE_MS);
  if (progress.crawl.stoppedBy || progress.cancelRequestedAt) {
    await insertFingerprints(decisions, new Map(), expiresAt, deps);
    return { admitted: 0, dropped };
  }
  const sitemaps = decisions.flatMap((decision) => decision.sitemaps ?? []);
  await insertSitemaps(crawl, sitemaps, expiresAt, deps);
  const closedPatterns = await closePatterns(crawl, decisions, deps);
  const { hosts } = progress.crawl;
  const inserted = await insertLinks(
    { id, terms, totalUrls, hosts, closedPatterns, isBatched: progress.resultBatches !== undefined },
    decisions.flatMap(({ links = [] }) => links),
    { stores, knownKeys, expiresAt, patterns },
  );
  if (dropped.has('trap')) await stores.jobs.warnOfCrawl(id, ENDLESS);
  for (const [reason, count] of inserted.dropped) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  await insertFingerprints(decisions, inserted.indexes, expiresAt, deps);
  if (inserted.admitted > 0) await cancelAdded(id, deps);
  return { admitted: inserted.admitted, dropped };
}

/** Notes patterns that were matched for the first time. */
async function notePatterns(
  { progress: { id, crawl } }: OpenCrawl,
  decisions: readonly Decision[],
  { stores }: GrowCrawlDeps,
): Promise<void> {
  const matched = new Set(decisions.flatMap(({ patterns = [] }) => patterns));
  const added = matched.difference(new Set(crawl.matchedPatterns));
  if (added.size > 0) await stores.jobs.notePatterns(id, [...added]);
}

function sumDropped(decisions: readonly Decision[]): Map<DropReason, number> {
  const sums = new Map<DropReason, number>();
  for (const { dropped = {} } of decisions) {
    for (const [reason, count] of Object.entries(dropped) as [DropReason, number][]) {
      sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
  }
  return sums;
}

/** Stores sitemaps to read, as many as suit the limit of the crawl. */
async function insertSitemaps(
  { progress: { id }, terms }: OpenCrawl,
  sitemaps: readonly NewCrawlFile[],
  expiresAt: Date,
  { stores }: GrowCrawlDeps,
): Promise<void> {
  if (sitemaps.length === 0) return;
  const most = Math.min(1000, 10 + Math.ceil(terms.limit / 10));
  const room = Math.max(0, most - (await stores.pages.countCrawlFiles(id)));
  await stores.pages.insertCrawlFiles(id, sitemaps.slice(0, room), expiresAt);
  if (sitemaps.length <= room) return;
  await stores.jobs.warnOfCrawl(id, {
    code: 'SITEMAP_TRUNCATED',
    message: `The site has more sitemaps than a crawl with this limit reads (${most}); the others were left out.`,
  });
}

/** Closes patterns of URLs whose pages mostly show known texts; returns all closed ones. */
async function closePatterns(
  { progress: { id, accountId, crawl }, terms }: OpenCrawl,
  decisions: readonly Decision[],
  deps: GrowCrawlDeps,
): Promise<string[]> {
  const inSteps = deps.finisher.inSteps(accountId);
  const closed = new Set(crawl.closedPatterns);
  for (const { read } of decisions) {
    if (!read || isStartPage(read.page.crawled) || isWanted(terms, read.page.crawled)) continue;
    for (const pattern of deps.patterns.note(id, read.page.url, read.textHash)) {
      await closePattern(id, pattern, deps);
      inBackground(
        skipPattern(id, pattern, deps, inSteps),
        deps.logger,
        'Pages of a closed pattern were not skipped.',
      );
      closed.add(pattern);
    }
  }
  return [...closed];
}

/** Stores the fingerprints of pages, whose links are pages of the crawl by now. */
async function insertFingerprints(
  decisions: readonly Decision[],
  indexes: ReadonlyMap<string, number>,
  expiresAt: Date,
  { stores }: GrowCrawlDeps,
): Promise<void> {
  const added = decisions.flatMap(({ fingerprint, links = [] }) => {
    if (!fingerprint) return [];
    const known: KnownLinks['links'] = links.flatMap(({ key, hops }) => {
      const index = indexes.get(key);
      return index === undefined ? [] : [{ index, isNext: hops > 0 }];
    });
    return [fingerprint({ links: known, isWhole: known.length === links.length })];
  });
  await stores.fingerprints.insertFingerprints(added, expiresAt);
}

/** Cancels pages added to a crawl after its cancellation. */
async function cancelAdded(id: string, { stores, finisher }: GrowCrawlDeps): Promise<void> {
  const [job] = await stores.jobs.findProgress([id]);
  if (job?.cancelRequestedAt) finisher.add(job);
}
