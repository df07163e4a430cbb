import type { Static, TSchema } from 'typebox';
import { CRAWL_SCOPES, IgnoreQuerySchema } from '../crawl/crawl-options.ts';
import type { DropReason } from '../crawl/crawl-progress.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { TracedAttemptSchema } from '../scrape/attempt.ts';
import { Type } from '../type.ts';
import { UrlPatternSchema } from '../url-pattern.ts';

/** Filter for the URLs of a crawl: plain data, compiled by `packages/frontier`. */
export const CrawlFilterSchema = Type.Object(
  {
    scope: OneOf(CRAWL_SCOPES),
    /** Places of the start URLs, as the frontier names them: hosts, domains, or hosts with folders. */
    places: Type.Array(Type.String()),
    include: Type.Optional(Type.Array(UrlPatternSchema)),
    exclude: Type.Optional(Type.Array(UrlPatternSchema)),
    /** `match` of each rule. */
    rules: Type.Optional(Type.Array(UrlPatternSchema)),
    ignoreQuery: Type.Optional(IgnoreQuerySchema),
    /** Links that the page marks as `nofollow` are left out. */
    obeysNofollow: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type CrawlFilter = Static<typeof CrawlFilterSchema>;

/** Purpose of fetching a page of a crawl: its own content, or to learn what else may be fetched. */
export const PAGE_PURPOSES = ['page', 'robots', 'sitemap'] as const;
export type PagePurpose = (typeof PAGE_PURPOSES)[number];

/** The part of a page command that only crawls have. */
export const PageCrawlSchema = Type.Object(
  {
    purpose: OneOf(PAGE_PURPOSES),
    filter: CrawlFilterSchema,
    /** Links to report: all, none, or only links matched by these CSS selectors or inside a matched element. */
    follow: Type.Union([Type.Boolean(), Type.Array(Type.String())]),
    /** CSS selector of links that are reported with `isNext`, whatever `follow` is. */
    next: Type.Optional(Type.String()),
    /** Links are reported with their texts, and those of sitemaps with the times of their last changes. */
    describes: Type.Optional(Type.Boolean()),
    /** Headers by which the site says whether the page has changed; only where the content that they stand for is stored. */
    validators: Type.Optional(
      Type.Object(
        { etag: Type.Optional(Type.String()), lastModified: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type PageCrawl = Static<typeof PageCrawlSchema>;

/** A link that belongs to the crawl. */
export const FoundLinkSchema = Type.Object(
  {
    /** As it is fetched: absolute, without fragment where the page is not rendered. */
    url: Type.String(),
    /** Under which URLs of one page are equal (`urlKey`). */
    key: Type.String(),
    /** Index of the first rule that matches. */
    rule: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Matched by `next`. */
    isNext: Type.Optional(Type.Literal(true)),
    text: Type.Optional(Type.String()),
    /** Milliseconds since 1970. */
    modifiedMs: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
);
export type FoundLink = Static<typeof FoundLinkSchema>;

const droppedOf = Type.Optional(Type.Integer({ minimum: 1 }));
const DroppedSchema = Type.Object(
  {
    outOfScope: droppedOf,
    excluded: droppedOf,
    depth: droppedOf,
    nofollow: droppedOf,
    trap: droppedOf,
    frontierFull: droppedOf,
  } satisfies Record<DropReason, TSchema>,
  { additionalProperties: false },
);

/** Links of one document: the links in the crawl, once each, and the number of others by reason. */
export const FOUND_LINKS_PROPERTIES = {
  links: Type.Array(FoundLinkSchema),
  dropped: DroppedSchema,
  /** Indexes of the patterns that some link matches, as the frontier counts them. */
  patterns: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
  /** Reason why further links are missing, as a phrase for a person. */
  cutBecause: Type.Optional(Type.String()),
};

/** Largest number and size of the links of one page. */
export const MAX_LINKS_PER_PAGE = 5000;
export const MAX_LINK_CHARS_PER_PAGE = 512 * 1024;

/** Number of excluded links to report for a page. */
export const MAX_LEFT_OUT = 5;

/** Findings of a crawl on a page, besides its data. */
export const CrawlFindingsSchema = Type.Object(
  {
    ...FOUND_LINKS_PROPERTIES,
    /** Absolute URL that the page names as its canonical one, if it is http or https. */
    canonicalUrl: Type.Optional(Type.String()),
    /** 128 bits of SHA-256 of the readable text, in base64url. */
    textHash: Type.String(),
    /** Some links of a page, all of whose links the patterns of the crawl leave out. */
    leftOut: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_LEFT_OUT })),
    /** The same of the data and formats. */
    dataHash: Type.String(),
    etag: Type.Optional(Type.String()),
    lastModified: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type CrawlFindings = Static<typeof CrawlFindingsSchema>;

/** The page redirects to a URL with another key, which was not fetched. */
export const PageRedirectedSchema = Type.Object(
  { kind: OneOf(['redirected']), url: Type.String() },
  { additionalProperties: false },
);

/** Outcome of a conditional request answered with 304 Not Modified. */
export const PageNotModifiedSchema = Type.Object(
  {
    kind: OneOf(['notModified']),
    timestamp: Timestamp(),
    attempts: Type.Array(TracedAttemptSchema),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type PageNotModified = Static<typeof PageNotModifiedSchema>;

/** The page is not a document but an image, an archive, or another file without text. */
export const PageNotDocumentSchema = Type.Object(
  { kind: OneOf(['notDocument']), contentType: Type.String() },
  { additionalProperties: false },
);

/** The rules of a robots.txt for Gleaner; without rules where the site has none (4xx). */
export const RobotsFoundSchema = Type.Object(
  {
    kind: OneOf(['robots']),
    rules: Type.Array(
      Type.Object({ isAllowed: Type.Boolean(), pattern: Type.String() }, { additionalProperties: false }),
    ),
    crawlDelayMs: Type.Optional(Type.Number()),
    /** Absolute URLs. */
    sitemaps: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type RobotsFound = Static<typeof RobotsFoundSchema>;

/** Content of a sitemap, an index of sitemaps, or a feed. */
export const SitemapFoundSchema = Type.Object(
  {
    kind: OneOf(['sitemap']),
    ...FOUND_LINKS_PROPERTIES,
    /** Absolute URLs of further sitemaps. */
    sitemaps: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type SitemapFound = Static<typeof SitemapFoundSchema>;
