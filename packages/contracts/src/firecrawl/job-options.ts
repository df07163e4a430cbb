import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { type FirecrawlValues, firecrawlBody, ignored, refused, translated } from './option.ts';
import { FIRECRAWL_COMMON, FIRECRAWL_SCRAPE_OPTIONS, FIRECRAWL_V1_SCRAPE_OPTIONS } from './scrape-options.ts';

const flag = Type.Boolean();
const url = Type.String({ minLength: 1, maxLength: LIMITS.maxUrlLength });
const Paths = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: LIMITS.maxUrlPatterns });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000_000 });

/** Events of Firecrawl's webhooks. */
export const FIRECRAWL_EVENTS = ['started', 'page', 'completed', 'failed'] as const;
export type FirecrawlEvent = (typeof FIRECRAWL_EVENTS)[number];

/** Part of the results of a job, in the query of its state. */
export const FirecrawlPartSchema = Type.Object(
  {
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.maxOffset })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.maxOffset })),
  },
  { additionalProperties: false },
);

const WebhookSchema = Type.Unsafe<
  | string
  | {
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly events?: readonly FirecrawlEvent[];
    }
>({
  'x-expected': 'a URL, or an object {url, headers, metadata, events}',
  anyOf: [
    url,
    {
      type: 'object',
      required: ['url'],
      additionalProperties: false,
      properties: {
        url,
        headers: MapOf(Type.String({ maxLength: 4096 }), { maxProperties: 20 }),
        metadata: { type: 'object', maxProperties: 50 },
        events: Type.Array(OneOf(FIRECRAWL_EVENTS), { minItems: 1, maxItems: 4, uniqueItems: true }),
      },
    },
  ],
});

/** Options of `POST /scrape`. */
export const FIRECRAWL_SCRAPE = { url: translated(url, '`url`'), ...FIRECRAWL_SCRAPE_OPTIONS };

const JOB_OPTIONS = {
  webhook: translated(WebhookSchema, 'a webhook with the bodies of Firecrawl, see below'),
};

/** Options of `POST /batch/scrape`. */
export const FIRECRAWL_BATCH = {
  urls: translated(Type.Array(url, { minItems: 1, maxItems: LIMITS.maxUrlsPerJob }), '`urls` of a job'),
  ignoreInvalidURLs: translated(flag, 'URLs that are refused are listed in `invalidURLs`; default true'),
  ...JOB_OPTIONS,
  maxConcurrency: ignored(count, 'Jobs share the scrapers, and each host is spared.'),
  appendToId: refused('A job has the URLs that it was created with; create another one.'),
  ...FIRECRAWL_SCRAPE_OPTIONS,
};

const CRAWL_OPTIONS = {
  url: translated(url, '`urls`, with this one'),
  limit: translated(count, '`crawl.limit`; default 10000, at most what the operator allows'),
  includePaths: translated(Paths, '`crawl.include`, as regular expressions in RE2 syntax on the path'),
  excludePaths: translated(Paths, '`crawl.exclude`, as regular expressions in RE2 syntax on the path'),
  regexOnFullURL: translated(flag, 'the patterns are searched for in the whole URL'),
  maxDiscoveryDepth: translated(
    Type.Integer({ minimum: 0 }),
    '`crawl.maxDepth`, at most 100; pages of a sitemap have depth 1, not 0',
  ),
  ignoreQueryParameters: translated(flag, '`crawl.ignoreQuery`'),
  crawlEntireDomain: translated(flag, '`crawl.scope: "host"`; without it `"path"`'),
  allowSubdomains: translated(flag, '`crawl.scope: "domain"`'),
  allowExternalLinks: translated(flag, '`crawl.scope: "any"`, which also follows the links of other sites'),
  ignoreRobotsTxt: translated(flag, '`crawl.robots: "ignore"`, where the operator allows it'),
  delay: translated(
    Type.Number({ minimum: 0, maximum: 60 }),
    '`crawl.delay`, in seconds; one page of a host at a time, whatever `maxConcurrency` says',
  ),
  maxConcurrency: translated(count, '`crawl.concurrency`, at most 32 pages of a host'),
  ...JOB_OPTIONS,
  ignoreSitemap: translated(flag, '`crawl.sitemap: "skip"`'),
  deduplicateSimilarURLs: ignored(flag, 'Equal pages are fetched once in any case.', [true]),
  ...FIRECRAWL_COMMON,
};

/** Options of `POST /crawl`. */
export const FIRECRAWL_CRAWL = {
  ...CRAWL_OPTIONS,
  sitemap: translated(OneOf(['skip', 'include', 'only']), '`crawl.sitemap`'),
  scrapeOptions: translated(
    Type.Unsafe<FirecrawlValues<typeof FIRECRAWL_SCRAPE_OPTIONS>>(firecrawlBody(FIRECRAWL_SCRAPE_OPTIONS)),
    'the options of a page, as for `/scrape`',
  ),
  prompt: ignored(
    Type.String({ maxLength: 10_000 }),
    'No language model does this here. Without `limit` it is refused, because all of the site would be crawled.',
    [''],
  ),
  robotsUserAgent: refused('robots.txt is read for the user agent that the operator sets.'),
};

/** URLs of one `POST /extract`, whose values become one object. */
export const FIRECRAWL_EXTRACT_URLS = 10;

/** Options of `POST /extract`. */
export const FIRECRAWL_EXTRACT = {
  urls: translated(
    Type.Array(url, { minItems: 1, maxItems: FIRECRAWL_EXTRACT_URLS }),
    `\`urls\` of a job, at most ${FIRECRAWL_EXTRACT_URLS}; \`*\` at the end is refused`,
  ),
  schema: translated(
    Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    '`extract.schema`; without it `answers`, a list of texts',
  ),
  prompt: translated(Type.String({ maxLength: LIMITS.maxExtractPromptLength }), '`extract.prompt`'),
  systemPrompt: translated(
    Type.String({ maxLength: LIMITS.maxExtractPromptLength }),
    '`extract.prompt`, before the `prompt`',
  ),
  ignoreInvalidURLs: FIRECRAWL_BATCH.ignoreInvalidURLs,
  scrapeOptions: translated(
    Type.Unsafe<FirecrawlValues<typeof FIRECRAWL_SCRAPE_OPTIONS>>(firecrawlBody(FIRECRAWL_SCRAPE_OPTIONS)),
    'the options of a page, as for `/scrape`, but `formats`',
  ),
  showSources: ignored(flag, 'Sources are always there.', [true, false]),
  urlTrace: ignored(flag, 'Sources are always there.', [true, false]),
  ignoreSitemap: ignored(flag, 'No sitemap is read.', [true, false]),
  includeSubdomains: ignored(flag, 'The pages of `urls` are read, and no other.', [false]),
  allowExternalLinks: refused('The pages of `urls` are read, and no other.'),
  enableWebSearch: refused('Search with `/search`, and send the URLs.'),
  agent: refused('The pages of `urls` are read, and no other.'),
  webhook: refused('Use `/batch/scrape` with the format `json`.'),
  ...FIRECRAWL_COMMON,
};

/** Options of `POST /crawl/params-preview`. */
export const FIRECRAWL_PREVIEW = {
  url: translated(url, 'returned as it is'),
  prompt: FIRECRAWL_CRAWL.prompt,
  ...FIRECRAWL_COMMON,
};

/** Options of `POST /map`. */
export const FIRECRAWL_MAP = {
  url: translated(url, '`url`'),
  search: translated(Type.String({ maxLength: 200 }), '`search`'),
  sitemap: translated(OneOf(['skip', 'include', 'only']), '`sitemap`; `only` reads no page'),
  includeSubdomains: translated(flag, '`scope: "domain"`, without it `"host"`; default true'),
  ignoreQueryParameters: translated(flag, '`ignoreQuery`; default true'),
  limit: translated(count, `\`limit\`; default 5000, at most ${LIMITS.maxMapUrls}`),
  timeout: translated(
    Type.Integer({ minimum: LIMITS.minTimeoutMs }),
    `\`timeout\`, at most ${LIMITS.maxMapMs}: what was found by then is returned`,
  ),
  ignoreCache: ignored(flag, 'Sitemaps are always fetched.', [true]),
  location: ignored(Type.Unknown(), 'Maps are made without a proxy.'),
  ...FIRECRAWL_COMMON,
};

/** Options of version 1 of the API, by endpoint. */
export const FIRECRAWL_V1_SCRAPE = { url: translated(url, '`url`'), ...FIRECRAWL_V1_SCRAPE_OPTIONS };
export const FIRECRAWL_V1_BATCH = {
  ...FIRECRAWL_BATCH,
  ignoreInvalidURLs: translated(flag, 'URLs that are refused are listed in `invalidURLs`; default false'),
  ...FIRECRAWL_V1_SCRAPE_OPTIONS,
};
export const FIRECRAWL_V1_CRAWL = {
  ...CRAWL_OPTIONS,
  maxDepth: translated(
    Type.Integer({ minimum: 0 }),
    '`crawl.maxDepth`, which counts links, not parts of the path',
  ),
  allowBackwardLinks: translated(flag, 'as `crawlEntireDomain`'),
  scrapeOptions: translated(
    Type.Unsafe<FirecrawlValues<typeof FIRECRAWL_V1_SCRAPE_OPTIONS>>(
      firecrawlBody(FIRECRAWL_V1_SCRAPE_OPTIONS),
    ),
    'the options of a page, as for `/scrape`',
  ),
};
export const FIRECRAWL_V1_MAP = {
  ...FIRECRAWL_MAP,
  ignoreSitemap: translated(flag, '`sitemap: "skip"`'),
  sitemapOnly: translated(flag, '`sitemap: "only"`'),
};
