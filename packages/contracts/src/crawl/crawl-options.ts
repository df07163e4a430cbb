import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { ActionsSchema } from '../scrape/actions.ts';
import { FormatsSchema } from '../scrape/formats.ts';
import { mayRender, type ScrapeOptions } from '../scrape/scrape-request.ts';
import { SelectorMapSchema } from '../scrape/selectors.ts';
import { Type } from '../type.ts';
import { type UrlPattern, UrlPatternSchema } from '../url-pattern.ts';
import { COMPARISON_OPTIONS } from './crawl-changes.ts';

/** Reach of a crawl: below the path of a start URL, on its host, on its registrable domain, or anywhere. */
export const CRAWL_SCOPES = ['path', 'host', 'domain', 'any'] as const;
export type CrawlScope = (typeof CRAWL_SCOPES)[number];

const patterns = (description: string, examples: readonly UrlPattern[][]) =>
  Type.Optional(
    Type.Array(UrlPatternSchema, { maxItems: LIMITS.maxUrlPatterns, description, examples: [...examples] }),
  );

/** Query parameters that make no other page. */
export const IgnoreQuerySchema = Type.Unsafe<boolean | readonly string[]>({
  description:
    'Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false.',
  examples: [['sort', 'view_*']],
  'x-expected': 'true, false, or a list of parameter names such as ["sort", "view_*"]',
  anyOf: [
    { type: 'boolean' },
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 256 },
      maxItems: LIMITS.maxUrlPatterns,
    },
  ],
});

/** Options of the pages whose URL matches. */
export const CrawlRuleSchema = Type.Object(
  {
    match: UrlPatternSchema,
    selectors: Type.Optional(SelectorMapSchema),
    formats: Type.Optional(FormatsSchema),
    actions: Type.Optional(ActionsSchema),
    follow: Type.Optional(
      Type.Unsafe<boolean | readonly string[]>({
        description:
          'Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true.',
        examples: [['.card a', 'nav.categories']],
        'x-expected': 'true, false, or a list of CSS selectors such as [".card a"]',
        anyOf: [
          { type: 'boolean' },
          {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 1024 },
            minItems: 1,
            maxItems: 20,
          },
        ],
      }),
    ),
    next: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          'CSS selector of the link to the next page of a list, which is as deep as the page itself.',
        examples: ['a.next'],
        'x-expected': 'a CSS selector such as "a.next"',
      }),
    ),
    keep: Type.Optional(
      Type.Boolean({
        description:
          '`false`: the page is fetched and charged for its links, and has no result. Default true.',
        'x-default': true,
      }),
    ),
  },
  { additionalProperties: false },
);
export type CrawlRule = Static<typeof CrawlRuleSchema>;

/** The option `crawl` of jobs and schedules. */
export const CrawlOptionsSchema = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxCrawlLimit,
        description:
          'Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum.',
        examples: [500],
      }),
    ),
    maxDepth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10.',
      }),
    ),
    scope: Type.Optional(
      OneOf(CRAWL_SCOPES, {
        description:
          'Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host.',
      }),
    ),
    maxHosts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Most hosts of a crawl whose scope is `any` or `domain`. Default 100.',
      }),
    ),
    include: patterns(
      'Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them.',
      [['/books/**']],
    ),
    exclude: patterns('URLs that match one of these are not crawled, whatever `include` says.', [
      ['**?*add-to-cart=*'],
    ]),
    rules: Type.Optional(
      Type.Array(CrawlRuleSchema, {
        maxItems: LIMITS.maxCrawlRules,
        description: 'The first rule whose `match` fits the URL of a page holds for it.',
      }),
    ),
    ignoreQuery: Type.Optional(IgnoreQuerySchema),
    sitemap: Type.Optional(
      OneOf(['skip', 'include', 'only'], {
        description:
          'Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include.',
      }),
    ),
    robots: Type.Optional(
      OneOf(['obey', 'ignore'], {
        description:
          'Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey.',
      }),
    ),
    delay: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description:
          'Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 32,
        description:
          'Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4.',
      }),
    ),
    maxCredits: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Ends the crawl before it costs more. Running pages count with the most they may cost.',
      }),
    ),
    maxDuration: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 604_800_000,
        description: 'Milliseconds after which no further page is started.',
      }),
    ),
    maxPerPattern: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxCrawlLimit,
        description:
          'Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names.',
      }),
    ),
    ...COMPARISON_OPTIONS,
  },
  {
    additionalProperties: false,
    description:
      'Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once.',
    examples: [{ limit: 200, include: ['/books/**'], rules: [{ match: '/books/*', follow: false }] }],
  },
);
export type CrawlOptions = Static<typeof CrawlOptionsSchema>;

/** Values of the options that are left out. */
export const CRAWL_DEFAULTS = {
  limit: 1000,
  maxDepth: 10,
  scope: 'host',
  maxHosts: 100,
  sitemap: 'include',
  robots: 'obey',
  delay: 0,
  concurrency: 4,
} as const satisfies CrawlOptions;

/** Returns true for the rule of pages that need a browser although others may not. */
export function isActing({ actions = [] }: CrawlRule): boolean {
  return actions.length > 0;
}

/**
 * Returns the options of a job with those of its dearest pages: where a rule of its crawl has actions, its pages are
 * rendered, and all pages of the job may be.
 */
export function withDearestPages<Options extends ScrapeOptions>(
  options: Options,
  crawl: CrawlOptions | undefined,
): Options {
  const mayAct = crawl?.rules?.some(isActing) ?? false;
  return mayAct && !mayRender(options) ? { ...options, render: 'auto' } : options;
}
