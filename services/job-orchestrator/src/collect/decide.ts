import {
  AppError,
  type CrawlFindings,
  type CrawlWarning,
  type DropReason,
  type FoundLink,
  mayRepeat,
  type PageChange,
  toFailure,
} from '@gleaner/contracts';
import {
  type NewFingerprint,
  type NewPageSnapshot,
  type NewResult,
  type NewSupportPage,
  type PageEnd,
  placeInCrawl,
  type StoredPage,
  type Stores,
} from '@gleaner/storage';
import {
  type ComparedTerms,
  compareWith,
  fingerprintOf,
  type KnownLinks,
  keptFingerprint,
} from '../compare/compare-page.ts';
import { type Base, isHidden, isOfOtherKind } from '../compare/find-bases.ts';
import { followsLinks, isKept } from '../crawl/crawl-terms.ts';
import type { PlacedLink } from '../crawl/insert-links.ts';
import { sitemapPageOf } from '../crawl/support-pages.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import { crawlEndOf, endOfFile } from './crawl-end.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import { followRedirect } from './follow-redirect.ts';
import { lackingPageOf, snapshotOf } from './keep-snapshots.ts';
import {
  type CollectedOutcome,
  type Context,
  isCrawlPage,
  type OpenCrawl,
  type RunningCrawlPage,
} from './read-context.ts';
import { FREE, renderKept, renderResult, screenshotUrlOf } from './render-result.ts';
import { isReplaced, type Standings } from './renew-sessions.ts';

/** Consequences of an outcome, to be stored. */
export interface Consequences {
  readonly end: PageEnd;
  readonly result?: NewResult | undefined;
  readonly snapshot?: NewPageSnapshot | undefined;
  readonly warning?: CrawlWarning | undefined;
  /** Place that the crawl comes to. */
  readonly place?: string;
  /** Rules of an origin, for all crawls. */
  readonly robots?: Pick<Parameters<Stores['robots']['put']>[0], 'origin' | 'robots'>;
  readonly robotsLifetimeMs?: number;
  readonly sitemaps?: readonly NewSupportPage[];
  /** Patterns of the crawl that some URL matches. */
  readonly patterns?: readonly number[] | undefined;
  /** A page that was read, which may be one of a trap. */
  readonly read?: { readonly page: RunningCrawlPage; readonly textHash: string };
  readonly links?: readonly PlacedLink[];
  readonly dropped?: Partial<Record<DropReason, number>>;
  /** Returns the fingerprint of the page, once the pages that it links to are known. */
  readonly fingerprint?: (known: KnownLinks) => NewFingerprint;
}

/** Consequences of the outcome of one attempt. */
export interface Decision extends Consequences {
  readonly jobId: string;
}

type Outcome = CollectedOutcome['outcome'];
type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { readonly kind: Kind }>;
type Failed = OutcomeOf<'failed' | 'lost' | 'unstarted' | 'overdue'>;
type Succeeded = Exclude<Outcome, Failed>;

/** A page of an open crawl with what was read for it. */
interface CrawlCase {
  readonly page: RunningCrawlPage;
  readonly crawl: OpenCrawl;
  readonly terms: JobTerms;
  readonly collected: CollectedOutcome;
  readonly base: Base | undefined;
  readonly context: Context;
}

const FAILED_KINDS: ReadonlySet<Outcome['kind']> = new Set<Failed['kind']>([
  'failed',
  'lost',
  'unstarted',
  'overdue',
]);
const ROBOTS_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_NEXT_IN_A_ROW = 1000;
const MAX_SITEMAP_LEVEL = 3;
/** Warnings of one kind that name single pages; there is room for a limited number. */
const MAX_ALIKE = 3;

/** Returns what follows from an outcome; undefined if its attempt, its job or its crawl is over. */
export function decide(
  collected: CollectedOutcome,
  context: Context,
  retrying: { readonly rules: RetryRules; readonly nowMs: number; readonly standings?: Standings },
): Decision | undefined {
  const { jobId, pageId } = collected;
  const terms = context.terms.get(jobId);
  if (!terms) return undefined;
  const outcome = reliesOnMissing(collected, context) ? RESULT_IS_GONE : collected.outcome;
  if (outcome.kind === 'found' && !terms.crawl) return { jobId, ...decidePlain(outcome, collected, terms) };
  const page = context.pages.get(pageId);
  if (!page) return undefined;
  if (isFailed(outcome)) {
    const situation = {
      ...{ nowMs: retrying.nowMs, random: Math.random(), hasAntiBot: terms.hasAntiBot },
      mayRepeat: mayBeRepeated(page, terms),
      isReplaced: isReplaced(outcome, terms, retrying.standings),
    };
    const end = decidePageEnd(page, outcome, retrying.rules, situation);
    return { jobId, ...decideFailed(page, end, context), snapshot: lackingPageOf(outcome, page, terms) };
  }
  const crawl = context.crawls.get(jobId);
  if (!crawl || !isCrawlPage(page)) return undefined;
  const base = context.bases.get(pageId);
  const decideKind = BY_KIND[outcome.kind] as (outcome: Succeeded, found: CrawlCase) => Consequences;
  return { jobId, ...decideKind(outcome, { page, crawl, terms, collected, base, context }) };
}

/** Returns whether the request of a page may be sent again after it may have been sent. */
function mayBeRepeated({ requestJson }: StoredPage, { options, isOfKept }: JobTerms): boolean {
  return isOfKept || mayRepeat({ ...options, ...(requestJson !== undefined && JSON.parse(requestJson)) });
}

function isFailed(outcome: Outcome): outcome is Failed {
  return FAILED_KINDS.has(outcome.kind);
}

/** Returns whether a page has not been modified since a crawl whose result of it is no longer there. */
function reliesOnMissing({ pageId, outcome }: CollectedOutcome, { bases, keptResults }: Context): boolean {
  if (outcome.kind !== 'notModified') return false;
  const base = bases.get(pageId);
  return !base?.fingerprint || (base.page.state !== 'visited' && !keptResults.has(pageId));
}

const RESULT_IS_GONE: OutcomeOf<'failed'> = {
  kind: 'failed',
  failure: toFailure(
    new AppError('UPSTREAM_ERROR', {
      message: 'The site answered 304, and the earlier result of the page is no longer there.',
      targetStatusCode: 304,
    }),
  ),
};

function decidePlain(
  found: OutcomeOf<'found'>,
  { jobId, pageId: id, attempt, screenshotId }: CollectedOutcome,
  terms: JobTerms,
): Consequences {
  const snapshot = snapshotOf(found, { id, attempt, jobId }, terms);
  const json = renderResult(found, extrasOf(id, screenshotId, snapshot));
  return {
    end: { id, attempt, state: 'succeeded', price: found.price, verdict: found.verdict?.page },
    result: { id, attempt, json, screenshotId, trace: JSON.stringify(found.attempts) },
    snapshot,
  };
}

function extrasOf(pageId: string, screenshotId: string | undefined, snapshot: NewPageSnapshot | undefined) {
  const screenshotUrl = screenshotId === undefined ? undefined : screenshotUrlOf(pageId);
  return { screenshotUrl, snapshotId: snapshot?.jobId === undefined ? undefined : snapshot.id };
}

/** A page of a crawl that failed in the end leads to what it led to before. */
function decideFailed(page: StoredPage, end: PageEnd, { bases, keptLinks, crawls }: Context): Consequences {
  if (!isCrawlPage(page) || (end.state !== 'failed' && end.state !== 'missing')) return { end };
  const consequences = crawlEndOf(page, end);
  const base = bases.get(page.id);
  const crawl = crawls.get(page.jobId);
  if (!base) return consequences;
  const final = consequences.end;
  if (final.state === 'missing') return { ...consequences, end: { ...final, change: 'gone' } };
  return { ...consequences, ...(crawl && { links: linksOfBase(page, crawl, keptLinks) }) };
}

/** Decisions on pages of crawls whose attempt had success, by the kind of its outcome. */
const BY_KIND: {
  readonly [Kind in Succeeded['kind']]: (outcome: OutcomeOf<Kind>, found: CrawlCase) => Consequences;
} = {
  found(found, crawlCase) {
    const { page, crawl, terms, context } = crawlCase;
    const { id, attempt } = page;
    const { links = [], dropped = {}, cutBecause, patterns } = found.crawl ?? {};
    const isUnseen = isHidden(crawlCase.base, found.verdict?.page);
    const kept = isUnseen ? linksOfBase(page, crawl, context.keptLinks) : [];
    const ledTo = {
      ...{ patterns, dropped, links: [...links.flatMap((link) => placeLink(link, page)), ...kept] },
      ...(cutBecause !== undefined && { warning: warnOfLinks(page.url, cutBecause, crawl) }),
      ...(found.crawl && { read: { page, textHash: found.crawl.textHash } }),
    };
    if (context.duplicates.has(id))
      return { ...ledTo, end: { id, attempt, state: 'skipped', skip: 'duplicate' } };
    const change = changeOf(crawlCase, found);
    const state = isKept(crawl.terms, page.crawled) ? 'succeeded' : 'visited';
    const verdict = state === 'succeeded' ? found.verdict?.page : undefined;
    return {
      ...ledTo,
      end: { id, attempt, state, price: found.price, change, verdict },
      ...(state === 'succeeded' && resultOf(found, crawlCase, change)),
      ...(found.crawl && { fingerprint: fingerprinter(found.crawl, page, comparedBy(terms, crawl)) }),
    };
  },

  notModified(outcome, { page, crawl, terms, base, context }) {
    const { id, attempt, crawled } = page;
    const isWanted = isKept(crawl.terms, crawled);
    const change = isWanted && terms.since.length > 0 ? 'unchanged' : undefined;
    const before = context.keptResults.get(id);
    const place = placeInCrawl({ ...crawled, ...(change && { change }) });
    const trace = JSON.stringify(outcome.attempts);
    const { fingerprint } = base ?? {};
    const verdict = isWanted ? base?.page.verdict : undefined;
    return {
      end: { id, attempt, state: isWanted ? 'succeeded' : 'visited', price: FREE, change, verdict },
      links: linksOfBase(page, crawl, context.keptLinks),
      ...(isWanted &&
        before !== undefined && {
          result: { id, attempt, json: renderKept(before, outcome, { url: page.url, ...place }), trace },
        }),
      ...(fingerprint && {
        fingerprint: (known) => ({
          ...{ id, attempt },
          ...keptFingerprint(comparedBy(terms, crawl), crawled, fingerprint, known),
        }),
      }),
    };
  },

  redirected: ({ url }, { page, crawl, context }) =>
    followRedirect(page, url, { crawl, isCircle: context.circles.has(page.id) }),

  notDocument: ({ contentType }, { page }) => ({ end: endOfFile(page, contentType) }),

  robots({ rules, crawlDelayMs, sitemaps }, { page: { id, attempt, url, crawled }, crawl }) {
    const named = sitemaps.length > 0 ? sitemaps : [new URL('/sitemap.xml', url).href];
    const isRead = crawl.terms.sitemap !== 'skip' && crawled.foundOn === undefined;
    return {
      end: { id, attempt, state: 'done' },
      robots: {
        origin: new URL(url).origin,
        robots: { rules, ...(crawlDelayMs !== undefined && { crawlDelayMs }) },
      },
      robotsLifetimeMs: ROBOTS_LIFETIME_MS,
      sitemaps: isRead ? named.map((sitemap) => sitemapPageOf(sitemap, url, 1)) : [],
    };
  },

  sitemap({ links, sitemaps, dropped, patterns, cutBecause }, { page: { id, attempt, url, crawled } }) {
    const level = (crawled.hops ?? 1) + 1;
    const further = level > MAX_SITEMAP_LEVEL ? [] : sitemaps;
    const message = `Pages of the sitemap ${url} were left out: ${cutBecause}.`;
    return {
      end: { id, attempt, state: 'done' },
      links: links.map((link) => ({ ...link, depth: 1, foundOn: url, hops: 0, isListed: true })),
      sitemaps: further.map((sitemap) => sitemapPageOf(sitemap, url, level)),
      ...{ dropped, patterns },
      ...(cutBecause !== undefined && { warning: { code: 'SITEMAP_TRUNCATED', message } }),
    };
  },
};

function resultOf(
  found: OutcomeOf<'found'>,
  { page, terms, collected }: CrawlCase,
  change: PageChange | undefined,
): Pick<Consequences, 'result' | 'snapshot'> {
  const { id, attempt, jobId, crawled } = page;
  const { screenshotId } = collected;
  const snapshot = snapshotOf(found, { id, attempt, jobId }, terms);
  const place = {
    ...placeInCrawl({ ...crawled, ...(change && { change }) }),
    canonicalUrl: found.crawl?.canonicalUrl,
  };
  const json = renderResult(found, { ...extrasOf(id, screenshotId, snapshot), place });
  return { result: { id, attempt, json, screenshotId, trace: JSON.stringify(found.attempts) }, snapshot };
}

/** Returns how a page with a result has changed; undefined if it has none, or there is nothing to compare. */
function changeOf(
  { page, crawl, terms, base }: CrawlCase,
  { crawl: findings, verdict }: OutcomeOf<'found'>,
): PageChange | undefined {
  if (!findings || terms.since.length === 0 || !isKept(crawl.terms, page.crawled)) return undefined;
  if (isOfOtherKind(base, verdict?.page)) return undefined;
  const nothing = { links: [], isWhole: false };
  return compareWith(base, fingerprintOf(comparedBy(terms, crawl), page.crawled, findings, nothing));
}

function comparedBy({ options, hash }: JobTerms, { terms }: OpenCrawl): ComparedTerms {
  return { options, crawl: terms, hash };
}

function fingerprinter(
  findings: CrawlFindings,
  { id, attempt, crawled }: RunningCrawlPage,
  compared: ComparedTerms,
): NonNullable<Consequences['fingerprint']> {
  return (known) => ({ id, attempt, ...fingerprintOf(compared, crawled, findings, known) });
}

/** Places a link in the crawl; the link to the next page of a list is as deep as the page, up to a number of such links. */
function placeLink(
  { url, key, rule, isNext }: FoundLink,
  { url: foundOn, crawled }: RunningCrawlPage,
): PlacedLink[] {
  const hops = isNext ? (crawled.hops ?? 0) + 1 : 0;
  if (hops > MAX_NEXT_IN_A_ROW) return [];
  const depth = crawled.depth + (isNext ? 0 : 1);
  return [{ url, key, ...(rule !== undefined && { rule }), depth, foundOn, hops }];
}

/** Returns the links that a page had in the crawl before, for a page that was not read, or was sent as something else. */
function linksOfBase(
  page: RunningCrawlPage,
  { terms }: OpenCrawl,
  keptLinks: Context['keptLinks'],
): PlacedLink[] {
  const links = followsLinks(terms, page.crawled) ? (keptLinks.get(page.id) ?? []) : [];
  return links.flatMap((link) => placeLink(link, page));
}

function warnOfLinks(url: string, why: string, { progress }: OpenCrawl): CrawlWarning | undefined {
  const alike = progress.crawl.warnings.filter(({ code }) => code === 'LINKS_TRUNCATED').length;
  if (alike >= MAX_ALIKE) return undefined;
  return { code: 'LINKS_TRUNCATED', message: `Links of ${url} were left out: ${why}.` };
}
