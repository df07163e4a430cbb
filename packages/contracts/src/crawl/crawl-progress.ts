import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { COMPARED_PROPERTIES, CrawlChangesSchema } from './crawl-changes.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Reasons why a page of a crawl that was admitted has no result. */
export const SKIP_REASONS = ['robots', 'limit', 'redirect', 'notDocument', 'duplicate', 'trap'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Reasons why a link is not followed. */
export const DROP_REASONS = ['outOfScope', 'excluded', 'depth', 'nofollow', 'trap', 'frontierFull'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Reasons why a crawl ended before its frontier was empty. */
export const STOP_REASONS = ['limit', 'credits', 'duration'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Kinds of remarks about a crawl as a whole. */
export const CRAWL_WARNING_CODES = [
  'ROBOTS_UNREACHABLE',
  'CRAWL_DELAY_CAPPED',
  'SITEMAP_NOT_READ',
  'SITEMAP_TRUNCATED',
  'LINKS_TRUNCATED',
  'TOO_MANY_HOSTS',
  'FRONTIER_FULL',
  'ENDLESS_LINKS',
  'PATTERN_FULL',
  'PATTERN_CLOSED',
  'PATTERN_UNMATCHED',
] as const;

/** A remark about a crawl as a whole. */
export const CrawlWarningSchema = Type.Object(
  { code: OneOf(CRAWL_WARNING_CODES), message: Type.String() },
  { additionalProperties: false },
);
export type CrawlWarning = Static<typeof CrawlWarningSchema>;

/** Counters of a crawl, approximate while it runs, and exact (except `dropped`) once it has finished. */
export const CrawlProgressSchema = Type.Object(
  {
    fetched: count('Pages that were fetched, failed ones included.'),
    results: count(
      'Pages with a result, failed ones included: the fetched ones but those that were only followed.',
    ),
    waiting: count('Pages that are known and wait.'),
    running: count('Pages on a scraper.'),
    depth: count('The greatest depth of a page that was fetched.'),
    hosts: count('Hosts of the crawl.'),
    notFound: count(
      'Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed.',
    ),
    skipped: Type.Object(
      {
        robots: count('robots.txt disallows them.'),
        limit: count('A limit of the crawl was reached before; see `stoppedBy`.'),
        redirect: count('They redirect to another URL, which is crawled if it is in scope.'),
        notDocument: count('They are images, archives or other files without text.'),
        duplicate: count('They have the text of the page that they name as their canonical one.'),
        trap: count('Most pages with URLs like theirs had known texts; a warning names the pattern.'),
      },
      { additionalProperties: false, description: 'Pages without a result and without a charge, by reason.' },
    ),
    dropped: Type.Object(
      {
        outOfScope: count('Links that leave the scope.'),
        excluded: count('Links that `include` and `exclude` leave out.'),
        depth: count('Links deeper than `maxDepth`.'),
        nofollow: count('Links that the page asks not to follow.'),
        trap: count(
          'Links that look endless: too long, with repeating parts, or of a pattern that a warning names.',
        ),
        frontierFull: count('Links beyond what a crawl of this `limit` remembers.'),
      },
      {
        additionalProperties: false,
        description: 'Links that were not followed, by reason, each occurrence.',
      },
    ),
    stoppedBy: Type.Optional(
      OneOf(STOP_REASONS, {
        description: 'The limit that ended the crawl before all known pages were fetched.',
      }),
    ),
    since: Type.Optional(
      Type.String({ description: 'The crawl that pages are compared with, if there is one.' }),
    ),
    changes: Type.Optional(CrawlChangesSchema),
    warnings: Type.Optional(Type.Array(CrawlWarningSchema)),
  },
  { additionalProperties: false },
);
export type CrawlProgress = Static<typeof CrawlProgressSchema>;

/** Fields of a result that only crawls have. */
export const CRAWLED_PROPERTIES = {
  depth: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of links from a start URL. Only in crawls.' }),
  ),
  foundOn: Type.Optional(
    Type.String({
      description: 'URL of the page or sitemap that the page was first found on. Only in crawls.',
    }),
  ),
  rule: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index of the rule in `crawl.rules` that held for the page.' }),
  ),
  canonicalUrl: Type.Optional(
    Type.String({ description: 'URL that the page itself names as its canonical one. Only in crawls.' }),
  ),
  ...COMPARED_PROPERTIES,
};
