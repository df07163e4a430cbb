import type { CrawlFindings, CrawlWarning, FoundLink, PageChange } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { placeInCrawl } from '@gleaner/storage';
import { type ComparedTerms, compareWith, fingerprintOf, keptFingerprint } from '../compare/compare-page.ts';
import { type Base, isHidden, isOfOtherKind } from '../compare/find-bases.ts';
import { sitemapPageOf } from '../crawl/crawl-files.ts';
import { followsLinks, isKept, isStartPage } from '../crawl/crawl-terms.ts';
import type { PlacedLink } from '../crawl/insert-links.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome, OpenCrawl, RunningCrawlPage } from './collected-outcome.ts';
import type { Consequences } from './consequences.ts';
import { endOfFile } from './crawl-end.ts';
import { followRedirect } from './follow-redirect.ts';
import type { Context } from './read-context.ts';
import { FREE, renderKept, resultOf } from './render-result.ts';

/** Outcome of a successful attempt. */
export type Succeeded = Exclude<
  CollectedOutcome['outcome'],
  { readonly kind: 'failed' | 'lost' | 'unstarted' | 'overdue' }
>;
type OutcomeOf<Kind extends Succeeded['kind']> = Extract<Succeeded, { readonly kind: Kind }>;

/** A page of an open crawl with what was read for it. */
export interface CrawlCase {
  readonly page: RunningCrawlPage;
  readonly crawl: OpenCrawl;
  readonly terms: JobTerms;
  readonly collected: CollectedOutcome;
  readonly base: Base | undefined;
  readonly context: Context;
}

const ROBOTS_LIFETIME_MS = 24 * 3600 * 1000;
const MAX_NEXT_IN_A_ROW = 1000;
const MAX_SITEMAP_LEVEL = 3;
/** Warnings of one kind that name single pages; there is room for a limited number. */
const MAX_ALIKE = 3;
/** Characters of a URL in a warning. */
const MAX_NAMED_CHARS = 200;

/** Returns the consequences of a successful attempt at a page of an open crawl. */
export function decideCrawlPage(outcome: Succeeded, found: CrawlCase): Consequences {
  const decideKind = BY_KIND[outcome.kind] as (outcome: Succeeded, found: CrawlCase) => Consequences;
  return decideKind(outcome, found);
}

/** Decisions by the kind of the outcome. */
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
      patterns,
      dropped,
      links: [...links.flatMap((link) => placeLink(link, page)), ...kept],
      warning:
        cutBecause === undefined
          ? warnOfLeftOut(page, found.crawl, crawl)
          : warnOfLinks(page.url, cutBecause, crawl),
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
      ...(state === 'succeeded' &&
        resultOf(found, crawlCase.collected, terms, {
          ...placeInCrawl({ ...page.crawled, ...defined({ change }) }),
          canonicalUrl: found.crawl?.canonicalUrl,
        })),
      ...(found.crawl && { fingerprint: fingerprinter(found.crawl, page, comparedBy(terms, crawl)) }),
    };
  },

  notModified(outcome, { page, crawl, terms, base, context }) {
    const { id, attempt, crawled } = page;
    const isWanted = isKept(crawl.terms, crawled);
    const change = isWanted && terms.since.length > 0 ? 'unchanged' : undefined;
    const before = context.keptResults.get(id);
    const place = placeInCrawl({ ...crawled, ...defined({ change }) });
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
          id,
          attempt,
          ...keptFingerprint(comparedBy(terms, crawl), crawled, fingerprint, known),
        }),
      }),
    };
  },

  redirected(_outcome, { page, crawl, context }) {
    const redirect = context.redirects.get(page.id);
    if (!redirect) throw new Error(`The redirect of ${page.id} was not read.`);
    return followRedirect(page, redirect, crawl);
  },

  notDocument: ({ contentType }, { page }) => ({ end: endOfFile(page, contentType) }),

  robots({ rules, crawlDelayMs, sitemaps }, { page: { id, attempt, url, crawled }, crawl }) {
    const named = sitemaps.length > 0 ? sitemaps : [new URL('/sitemap.xml', url).href];
    const isRead = crawl.terms.sitemap !== 'skip' && crawled.foundOn === undefined;
    return {
      end: { id, attempt, state: 'done' },
      robots: {
        origin: new URL(url).origin,
        robots: { rules, ...defined({ crawlDelayMs }) },
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
      dropped,
      patterns,
      ...(cutBecause !== undefined && { warning: { code: 'SITEMAP_TRUNCATED', message } }),
    };
  },
};

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
  return [{ url, key, ...defined({ rule }), depth, foundOn, hops }];
}

/** Returns the links that a page had in the crawl before, for a page that was not read, or was sent as something else. */
export function linksOfBase(
  page: RunningCrawlPage,
  { terms }: OpenCrawl,
  keptLinks: Context['keptLinks'],
): PlacedLink[] {
  const links = followsLinks(terms, page.crawled) ? (keptLinks.get(page.id) ?? []) : [];
  return links.flatMap((link) => placeLink(link, page));
}

/** Returns the warning of a start page without a link to any page of `include`. */
function warnOfLeftOut(
  { url, crawled }: RunningCrawlPage,
  { leftOut = [], dropped }: Partial<CrawlFindings> = {},
  { terms }: OpenCrawl,
): CrawlWarning | undefined {
  if (leftOut.length === 0 || !terms.include?.length || !isStartPage(crawled)) return undefined;
  const count = dropped?.excluded ?? leftOut.length;
  const named = leftOut.map((link) =>
    link.length > MAX_NAMED_CHARS ? `${link.slice(0, MAX_NAMED_CHARS)}…` : link,
  );
  const others = count > named.length ? ', and others' : '';
  return {
    code: 'PATTERN_UNMATCHED',
    message: `The page ${url} has no link that matches crawl.include. It links to ${named.join(', ')}${others}.`,
  };
}

function warnOfLinks(url: string, why: string, { progress }: OpenCrawl): CrawlWarning | undefined {
  const alike = progress.crawl.warnings.filter(({ code }) => code === 'LINKS_TRUNCATED').length;
  if (alike >= MAX_ALIKE) return undefined;
  return { code: 'LINKS_TRUNCATED', message: `Links of ${url} were left out: ${why}.` };
}
