import type { CrawlFindings, PageChange, PageCrawl, ScrapeOptions } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import type { CrawledPage, Fingerprint, IndexedLink } from '@gleaner/storage';
import { type CrawlTerms, followsLinks, optionsOf } from '../crawl/crawl-terms.ts';
import type { Base } from './find-bases.ts';

/** Terms of a crawl by which its pages are compared. */
export interface ComparedTerms {
  readonly options: ScrapeOptions;
  readonly crawl: CrawlTerms;
  /** Hash of what decides the content of results. */
  readonly hash: string;
}

/** Links of a page that are pages of its crawl, and whether these are all of them. */
export interface KnownLinks {
  readonly links: readonly IndexedLink[];
  readonly isWhole: boolean;
}

/** Returns the fingerprint of a page that was read. */
export function fingerprintOf(
  { options, crawl, hash }: ComparedTerms,
  page: CrawledPage,
  { textHash, dataHash, etag, lastModified }: CrawlFindings,
  { links, isWhole }: KnownLinks,
): Fingerprint {
  const { selectors, formats } = optionsOf(options, crawl, page);
  return {
    terms: hash,
    contentHash: selectors || formats ? dataHash : textHash,
    textHash,
    ...(isWhole && etag !== undefined && { etag }),
    ...(isWhole && lastModified !== undefined && { lastModified }),
    isFollowed: followsLinks(crawl, page),
    links,
  };
}

/** Returns the fingerprint of a page that has not been modified since it had this one. */
export function keptFingerprint(
  { crawl }: ComparedTerms,
  page: CrawledPage,
  { etag, lastModified, ...before }: Fingerprint,
  { links, isWhole }: KnownLinks,
): Fingerprint {
  return {
    ...before,
    ...(isWhole && etag !== undefined && { etag }),
    ...(isWhole && lastModified !== undefined && { lastModified }),
    isFollowed: followsLinks(crawl, page),
    links,
  };
}

/**
 * Returns how a page differs from its base: by its content where both were read on the same terms, else by its readable
 * text. Undefined if the base has no fingerprint.
 */
export function compareWith(
  base: Base | undefined,
  { terms, contentHash, textHash }: Pick<Fingerprint, 'terms' | 'contentHash' | 'textHash'>,
): PageChange | undefined {
  if (!base) return 'new';
  const before = base.fingerprint;
  if (!before) return undefined;
  const isSame = before.terms === terms ? before.contentHash === contentHash : before.textHash === textHash;
  return isSame ? 'unchanged' : 'changed';
}

/** Headers of a caller that are conditions themselves. */
const CONDITIONS = /^if-/i;

/** Returns the validators of a page that need not be read if its site says that it has not been modified. */
export function validatorsOf(
  { options, crawl, hash }: ComparedTerms,
  page: CrawledPage,
  { fingerprint }: Base,
): PageCrawl['validators'] {
  if (fingerprint?.terms !== hash || options.antiBot) return undefined;
  if (Object.keys(options.headers ?? {}).some((name) => CONDITIONS.test(name))) return undefined;
  if (followsLinks(crawl, page) && !fingerprint.isFollowed) return undefined;
  const { etag, lastModified } = fingerprint;
  if (etag === undefined && lastModified === undefined) return undefined;
  return defined({ etag, lastModified });
}
