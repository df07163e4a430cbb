import {
  type CrawlFindings,
  type CrawlWarning,
  type DropReason,
  type FoundLink,
  isTerminal,
  type PageOutcome,
} from '@gleaner/contracts';
import { compileFilter, urlKey } from '@gleaner/frontier';
import { inBackground, type Logger } from '@gleaner/service-kit';
import type { CrawlState, NewFingerprint, NewSupportPage, PageEnd, Stores } from '@gleaner/storage';
import {
  type ComparedTerms,
  fingerprintOf,
  type KnownLinks,
  keptFingerprint,
} from '../compare/compare-page.ts';
import type { Base } from '../compare/find-bases.ts';
import type { KeptLinks } from '../compare/kept-links.ts';
import { type CrawlTerms, filterOf, followsLinks, isKept } from '../crawl/crawl-terms.ts';
import { type InsertLinksDeps, insertLinks, type PlacedLink } from '../crawl/insert-links.ts';
import { closePattern, isWanted, type PatternWatch, skipPattern } from '../crawl/pattern-watch.ts';
import { isStartPage } from '../crawl/start-pages.ts';
import { sitemapPageOf } from '../crawl/support-pages.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { Finisher } from '../finish/finisher.ts';
import type { Comparison } from './compare-outcomes.ts';
import { crawlEndOf, type RunningCrawlPage } from './crawl-end.ts';
import { followRedirect } from './follow-redirect.ts';
import { FREE } from './render-result.ts';

/** Outcome of the attempt that a page of a crawl is running. */
export interface CrawlOutcome {
  readonly page: RunningCrawlPage;
  readonly outcome: Exclude<PageOutcome['outcome'], { kind: 'failed' | 'lost' }>;
}

/** Collaborators of collecting what pages of crawls lead to. */
export interface CollectCrawlDeps extends Pick<InsertLinksDeps, 'knownKeys'> {
  readonly patterns: PatternWatch;
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'robots' | 'fingerprints'>;
  readonly keptLinks: KeptLinks;
  readonly finisher: Pick<Finisher, 'add' | 'inSteps'>;
  readonly logger: Logger;
  readonly retentionMs: number;
}

/** A crawl with what is known of its pages from the crawls before. */
export interface CollectedCrawlTerms extends Pick<Comparison, 'bases' | 'changes'> {
  readonly id: string;
  readonly crawl: CrawlTerms;
  readonly terms: Pick<JobTerms, 'options' | 'hash'>;
}

/** Pages of a crawl that end: those with an outcome, and those that failed, whose links of before are kept. */
export interface EndingPages {
  readonly outcomes: readonly CrawlOutcome[];
  readonly failed: readonly RunningCrawlPage[];
}

/** The ends of pages of one crawl, and what they add to its frontier. */
export interface CollectedCrawl {
  readonly ends: readonly PageEnd[];
  readonly admitted: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
}

/** Links that one outcome leads to, and its end. */
interface Consequence {
  readonly end: PageEnd;
  readonly links: readonly PlacedLink[];
  readonly dropped: Partial<Record<DropReason, number>>;
  readonly sitemaps: readonly NewSupportPage[];
  /** Patterns of the crawl that some URL matches. */
  readonly patterns?: readonly number[] | undefined;
  /** Returns the fingerprint of the page, once the pages that it links to are known. */
  readonly fingerprint?: (known: KnownLinks) => NewFingerprint;
}

/** A crawl while outcomes of its pages are collected. */
interface OpenCrawl {
  readonly id: string;
  readonly accountId: string;
  readonly terms: CrawlTerms;
  readonly compared: ComparedTerms;
  readonly state: CrawlState;
  readonly changes: Comparison['changes'];
  readonly bases: Comparison['bases'];
  readonly kept: ReadonlyMap<Base, readonly FoundLink[]>;
  readonly deps: CollectCrawlDeps;
}

const MAX_NEXT_IN_A_ROW = 1000;
const MAX_SITEMAP_LEVEL = 3;
const ROBOTS_LIFETIME_MS = 24 * 3600 * 1000;
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Stores, durably, the pages that outcomes of one crawl lead to; returns the ends of the pages, which must be stored only
 * afterwards: a page that has ended has left nothing undiscovered, and so a crawl without waiting or running pages is
 * complete. Repeating it changes nothing.
 */
export async function collectCrawl(
  { id, crawl: terms, terms: { options, hash }, bases, changes }: CollectedCrawlTerms,
  { outcomes, failed }: EndingPages,
  deps: CollectCrawlDeps,
): Promise<CollectedCrawl> {
  const { stores, knownKeys, keptLinks, retentionMs } = deps;
  const [job] = await stores.jobs.findProgress([id]);
  if (!job?.crawl || isTerminal(job.status)) return { ends: [], admitted: 0, dropped: new Map() };
  const unread = [
    ...outcomes.flatMap(({ page, outcome }) => (outcome.kind === 'notModified' ? [page] : [])),
    ...failed,
  ].flatMap((page) => bases.get(page.id) ?? []);
  const kept =
    unread.length === 0
      ? new Map<Base, readonly FoundLink[]>()
      : await keptLinks.find(id, unread, compileFilter(filterOf(terms, job.crawl.places)));
  const compared = { options, crawl: terms, hash };
  const open: OpenCrawl = {
    id,
    accountId: job.accountId,
    terms,
    compared,
    state: job.crawl,
    changes,
    bases,
    kept,
    deps,
  };
  const consequences: Consequence[] = [];
  for (const outcome of outcomes) consequences.push(await consequenceOf(outcome, open));
  await notePatterns(consequences, open);
  const dropped = sumDropped(consequences);
  const ends = consequences.map(({ end }) => end);
  const expiresAt = new Date(stores.clock.nowMs() + retentionMs + PAGE_GRACE_MS);
  if (job.crawl.stoppedBy || job.cancelRequestedAt) {
    await insertFingerprints(consequences, new Map(), expiresAt, deps);
    return { ends, admitted: 0, dropped };
  }
  await insertSitemaps(
    open,
    consequences.flatMap(({ sitemaps }) => sitemaps),
    expiresAt,
  );
  const closed = await closePatterns(outcomes, open);
  const inserted = await insertLinks(
    {
      ...{ id, terms, totalUrls: job.totalUrls, hosts: job.crawl.hosts, closedPatterns: closed },
      isBatched: job.resultBatches !== undefined,
    },
    [...consequences.flatMap(({ links }) => links), ...failed.flatMap((page) => keptLinksOf(page, open))],
    { stores, knownKeys, expiresAt, patterns: deps.patterns },
  );
  if (dropped.has('trap')) await stores.jobs.warnOfCrawl(id, ENDLESS);
  for (const [reason, count] of inserted.dropped) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  await insertFingerprints(consequences, inserted.indexes, expiresAt, deps);
  if (inserted.admitted > 0) await cancelAdded(id, deps);
  return { ends, admitted: inserted.admitted, dropped };
}

/** Has pages cancelled that were added after those of a cancelled crawl had been cancelled. */
async function cancelAdded(id: string, { stores, finisher }: CollectCrawlDeps): Promise<void> {
  const [job] = await stores.jobs.findProgress([id]);
  if (job?.cancelRequestedAt) finisher.add(job);
}

/** Notes patterns that were matched for the first time. */
async function notePatterns(
  consequences: readonly Consequence[],
  { id, state, deps }: OpenCrawl,
): Promise<void> {
  const matched = new Set(consequences.flatMap(({ patterns = [] }) => patterns));
  const added = matched.difference(new Set(state.matchedPatterns));
  if (added.size > 0) await deps.stores.jobs.notePatterns(id, [...added]);
}

/** Links that look endless by themselves. */
const ENDLESS: CrawlWarning = {
  code: 'ENDLESS_LINKS',
  message:
    'Links that look endless were not followed: too long, or with a segment or parameter that repeats. crawl.dropped.trap counts them.',
};

/** Closes patterns of URLs whose pages mostly show known texts; returns all closed ones. */
async function closePatterns(outcomes: readonly CrawlOutcome[], open: OpenCrawl): Promise<string[]> {
  const { id, accountId, terms, state, deps } = open;
  const inSteps = deps.finisher.inSteps(accountId);
  const closed = new Set(state.closedPatterns);
  for (const { page, outcome } of outcomes) {
    const findings = outcome.kind === 'found' ? outcome.crawl : undefined;
    if (!findings || isStartPage(page.crawled) || isWanted(terms, page.crawled)) continue;
    for (const pattern of deps.patterns.note(id, page.url, findings.textHash)) {
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

/** Returns whether a page names another one as canonical that has the same text and was fetched before. */
async function isDuplicate(
  { id, url, crawled, jobId }: RunningCrawlPage,
  { canonicalUrl, textHash }: CrawlFindings,
  { terms, deps: { stores } }: OpenCrawl,
): Promise<boolean> {
  if (canonicalUrl === undefined || canonicalUrl === url || isStartPage(crawled)) return false;
  const key = urlKey(new URL(canonicalUrl), terms.ignoreQuery);
  if (key === crawled.key) return false;
  const canonical = await stores.pages.findByKey(jobId, key);
  if (!canonical || canonical.id === id) return false;
  if (canonical.state !== 'succeeded' && canonical.state !== 'visited') return false;
  const fingerprints = await stores.fingerprints.findFingerprints([canonical]);
  return fingerprints.get(canonical.id)?.textHash === textHash;
}

/** Stores the fingerprints of pages, whose links are pages of the crawl by now. */
async function insertFingerprints(
  consequences: readonly Consequence[],
  indexes: ReadonlyMap<string, number>,
  expiresAt: Date,
  { stores }: CollectCrawlDeps,
): Promise<void> {
  const added = consequences.flatMap(({ fingerprint, links }) => {
    if (!fingerprint) return [];
    const known = links.flatMap(({ key, hops }) => {
      const index = indexes.get(key);
      return index === undefined ? [] : [{ index, isNext: hops > 0 }];
    });
    return [fingerprint({ links: known, isWhole: known.length === links.length })];
  });
  await stores.fingerprints.insertFingerprints(added, expiresAt);
}

/** Returns the links that a page had in the crawl before, for a page that was not read. */
function keptLinksOf(page: RunningCrawlPage, { terms, bases, kept }: OpenCrawl): PlacedLink[] {
  const base = bases.get(page.id);
  const links = (base && followsLinks(terms, page.crawled) && kept.get(base)) || [];
  return links.flatMap((link) => placeLink(link, page));
}

async function consequenceOf({ page, outcome }: CrawlOutcome, open: OpenCrawl): Promise<Consequence> {
  const { id, attempt } = page;
  const none = { links: [], dropped: {}, sitemaps: [] };
  switch (outcome.kind) {
    case 'found': {
      const { links = [], dropped = {}, cutBecause } = outcome.crawl ?? {};
      if (cutBecause) await warnOfLinks(page.url, cutBecause, open);
      const { crawl: findings } = outcome;
      const linked = links.flatMap((link) => placeLink(link, page));
      if (findings && (await isDuplicate(page, findings, open)))
        return {
          ...{ ...none, patterns: findings.patterns, links: linked, dropped },
          end: { id, attempt, state: 'skipped', skip: 'duplicate' },
        };
      return {
        ...none,
        patterns: findings?.patterns,
        end: { id, attempt, state: stateOf(page, open), price: outcome.price, change: open.changes.get(id) },
        links: linked,
        dropped,
        ...(findings && {
          fingerprint: (known) => ({
            ...{ id, attempt },
            ...fingerprintOf(open.compared, page.crawled, findings, known),
          }),
        }),
      };
    }
    case 'notModified': {
      const before = open.bases.get(id)?.fingerprint;
      return {
        ...none,
        end: { id, attempt, state: stateOf(page, open), price: FREE, change: open.changes.get(id) },
        links: keptLinksOf(page, open),
        ...(before && {
          fingerprint: (known) => ({
            ...{ id, attempt },
            ...keptFingerprint(open.compared, page.crawled, before, known),
          }),
        }),
      };
    }
    case 'redirected':
      return { ...none, ...(await followRedirect(page, outcome.url, { ...open, stores: open.deps.stores })) };
    case 'notDocument':
      return { ...none, end: crawlEndOf(page, { kind: 'notDocument', contentType: outcome.contentType }) };
    case 'robots': {
      const { rules, crawlDelayMs, sitemaps } = outcome;
      const robots = { rules, ...(crawlDelayMs !== undefined && { crawlDelayMs }) };
      await storeRobots(page.url, robots, open.deps);
      return { ...none, end: { id, attempt, state: 'done' }, sitemaps: sitemapsOf(page, sitemaps, open) };
    }
    case 'sitemap': {
      if (outcome.cutBecause) await warnOfSitemap(page.url, outcome.cutBecause, open);
      const links = outcome.links.map((link) => ({
        ...{ ...link, depth: 1, foundOn: page.url, hops: 0 },
        isListed: true,
      }));
      return {
        end: { id, attempt, state: 'done' },
        links,
        dropped: outcome.dropped,
        patterns: outcome.patterns,
        sitemaps: furtherSitemaps(page, outcome.sitemaps),
      };
    }
  }
}

function stateOf({ crawled }: RunningCrawlPage, { terms }: OpenCrawl): 'visited' | 'succeeded' {
  return isKept(terms, crawled) ? 'succeeded' : 'visited';
}

type Link = NonNullable<Extract<CrawlOutcome['outcome'], { kind: 'found' }>['crawl']>['links'][number];

/** Places a link in the crawl; the link to the next page of a list is as deep as the page, up to a number of such links. */
function placeLink(
  { url, key, rule, isNext }: Link,
  { url: foundOn, crawled }: RunningCrawlPage,
): PlacedLink[] {
  const hops = isNext ? (crawled.hops ?? 0) + 1 : 0;
  if (hops > MAX_NEXT_IN_A_ROW) return [];
  const depth = crawled.depth + (isNext ? 0 : 1);
  return [{ url, key, ...(rule !== undefined && { rule }), depth, foundOn, hops }];
}

/** Returns the sitemaps of a start URL's site: those that robots.txt names, else the usual one. */
function sitemapsOf(
  { url, crawled }: RunningCrawlPage,
  named: readonly string[],
  { terms }: OpenCrawl,
): NewSupportPage[] {
  if (terms.sitemap === 'skip' || crawled.foundOn !== undefined) return [];
  const urls = named.length > 0 ? named : [new URL('/sitemap.xml', url).href];
  return urls.map((sitemap) => sitemapPageOf(sitemap, url, 1));
}

function furtherSitemaps({ url, crawled }: RunningCrawlPage, sitemaps: readonly string[]): NewSupportPage[] {
  const level = (crawled.hops ?? 1) + 1;
  return level > MAX_SITEMAP_LEVEL ? [] : sitemaps.map((sitemap) => sitemapPageOf(sitemap, url, level));
}

/** Stores sitemaps to read, as many as suit the limit of the crawl. */
async function insertSitemaps(
  { id, terms, deps: { stores } }: OpenCrawl,
  sitemaps: readonly NewSupportPage[],
  expiresAt: Date,
): Promise<void> {
  if (sitemaps.length === 0) return;
  const most = Math.min(1000, 10 + Math.ceil(terms.limit / 10));
  const room = Math.max(0, most - (await stores.pages.countSupportPages(id)));
  await stores.pages.insertSupportPages(id, sitemaps.slice(0, room), expiresAt);
  if (sitemaps.length <= room) return;
  await stores.jobs.warnOfCrawl(id, {
    code: 'SITEMAP_TRUNCATED',
    message: `The site has more sitemaps than a crawl with this limit reads (${most}); the others were left out.`,
  });
}

/** Stores the rules of an origin for all crawls. */
async function storeRobots(
  robotsUrl: string,
  robots: Parameters<Stores['robots']['put']>[0]['robots'],
  { stores }: CollectCrawlDeps,
): Promise<void> {
  const readAt = stores.clock.now();
  const expiresAt = new Date(readAt.getTime() + ROBOTS_LIFETIME_MS);
  await stores.robots.put({ origin: new URL(robotsUrl).origin, robots, readAt, expiresAt });
}

/** Warnings of one kind that name single pages; there is room for a limited number. */
const MAX_ALIKE = 3;

async function warnOfLinks(url: string, why: string, { id, state, deps }: OpenCrawl): Promise<void> {
  const alike = state.warnings.filter(({ code }) => code === 'LINKS_TRUNCATED').length;
  if (alike >= MAX_ALIKE) return;
  const message = `Links of ${url} were left out: ${why}.`;
  await deps.stores.jobs.warnOfCrawl(id, { code: 'LINKS_TRUNCATED', message });
}

async function warnOfSitemap(url: string, why: string, { id, deps }: OpenCrawl): Promise<void> {
  const message = `Pages of the sitemap ${url} were left out: ${why}.`;
  await deps.stores.jobs.warnOfCrawl(id, { code: 'SITEMAP_TRUNCATED', message });
}

function sumDropped(consequences: readonly Consequence[]): Map<DropReason, number> {
  const sums = new Map<DropReason, number>();
  for (const { dropped } of consequences) {
    for (const [reason, count] of Object.entries(dropped) as [DropReason, number][]) {
      sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
  }
  return sums;
}
