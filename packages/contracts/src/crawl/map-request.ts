import type { Static } from 'typebox';
import { ERROR_CODES } from '../errors/error-table.ts';
import { LIMITS } from '../limits.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { PAGE_KINDS } from '../scrape/verdict.ts';
import { Type } from '../type.ts';
import { CrawlOptionsSchema } from './crawl-options.ts';

const { scope, include, exclude, ignoreQuery, sitemap, robots } = CrawlOptionsSchema.properties;

/** The body of `POST /v1/map`. */
export const MapRequestSchema = Type.Object(
  {
    url: Type.String({
      description: 'The page to start at: an absolute http or https URL.',
      examples: ['https://example.com/'],
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxMapUrls,
        description: 'Most URLs that are returned. Default 5000.',
      }),
    ),
    depth: Type.Optional(
      Type.Unsafe<0 | 1 | 2>({
        type: 'integer',
        enum: [0, 1, 2],
        description:
          'Pages whose links are read, each for one credit: none with 0, so that only sitemaps are read; the start page with 1; with 2, also the pages that it links to and those of the sitemaps. Default 1.',
      }),
    ),
    scope,
    include,
    exclude,
    ignoreQuery,
    sitemap,
    robots,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words: only URLs that have one of them in the URL or in the text of a link are returned, the best first.',
        examples: ['returns policy'],
      }),
    ),
    maxCredits: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Most pages that are read, at one credit each.' }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: LIMITS.minTimeoutMs,
        maximum: LIMITS.maxMapMs,
        description: 'Milliseconds after which what was found is returned. Default 60000.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type MapRequest = Static<typeof MapRequestSchema>;

/** Values of the options that are left out. */
export const MAP_DEFAULTS = {
  limit: 5000,
  depth: 1,
  scope: 'host',
  sitemap: 'include',
  robots: 'obey',
  maxCredits: LIMITS.maxMapPages,
  timeout: LIMITS.maxMapMs,
} as const satisfies Partial<MapRequest>;

/** Returns the largest price of a map: one credit for each page it may read. */
export function worstCreditsOfMap({ depth = MAP_DEFAULTS.depth, maxCredits }: MapRequest): number {
  const pages = [0, 1, LIMITS.maxMapPages][depth] ?? 0;
  return Math.min(pages, maxCredits ?? pages);
}

/** Kinds of files and pages that URLs are taken from. */
const SOURCE_KINDS = ['robots', 'sitemap', 'page'] as const;

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

/** A file or page that was read, or could not be. */
export const MapSourceSchema = Type.Object(
  {
    kind: OneOf(SOURCE_KINDS),
    url: Type.String(),
    found: Type.Integer({
      minimum: 0,
      description:
        'Different URLs in it that belong to the map; of a robots.txt, the sitemaps that it names.',
    }),
    outOfScope: count('Links that `scope` leaves out.'),
    excluded: count('Links that `include` or `exclude` leave out.'),
    nofollow: count('Links that the page asks not to follow.'),
    trap: count('Links that look endless.'),
    verdict: Type.Optional(
      OneOf(PAGE_KINDS, { description: 'What the page is instead of what was asked for.' }),
    ),
    redirectsTo: Type.Optional(Type.String({ description: 'The page at which it was read instead.' })),
    cutBecause: Type.Optional(Type.String({ description: 'Why some of its URLs are missing.' })),
    error: Type.Optional(
      Type.Object(
        { code: OneOf(ERROR_CODES), message: Type.String() },
        { additionalProperties: false, description: 'Why it was not read.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type MapSource = Static<typeof MapSourceSchema>;

/** Bounds that end a map before everything was read. */
export const MAP_STOPS = ['limit', 'timeout', 'maxCredits', 'pages', 'sitemaps', 'busy'] as const;
export type MapStop = (typeof MAP_STOPS)[number];

/** A URL of a site. */
export const MappedUrlSchema = Type.Object(
  {
    url: Type.String(),
    foundOn: Type.Optional(
      Type.String({ description: 'The page or sitemap that names it; absent for the start page.' }),
    ),
    lastModified: Type.Optional(Timestamp({ description: 'Time of the last change, from the sitemap.' })),
    text: Type.Optional(
      Type.String({ description: 'Text of a link to it, or the title of the page if it was read.' }),
    ),
  },
  { additionalProperties: false },
);
export type MappedUrl = Static<typeof MappedUrlSchema>;

/** The parts of the response that come from the site. */
export const MAP_RESULT_PROPERTIES = {
  urls: Type.Array(MappedUrlSchema, {
    description:
      'The start page, then what was found, in the order in which it was found; with `search`, the best first.',
  }),
  sources: Type.Array(MapSourceSchema, { description: 'Everything that was read, in order.' }),
  complete: Type.Boolean({
    description:
      'True if everything was read that the options ask for and robots.txt allows, and nothing was left out.',
  }),
  stoppedBy: Type.Optional(
    OneOf(MAP_STOPS, {
      description:
        'The bound that ended it: `limit`, `timeout` and `maxCredits` of the request; 500 `pages` or 200 `sitemaps`; or the site is `busy` and answers 429, 503 or too late.',
    }),
  ),
  reason: Type.Optional(
    Type.String({ description: 'Present when nothing but the start page was found: why.' }),
  ),
};

/** The response of `POST /v1/map`. */
export const MapResponseSchema = Type.Object(
  {
    success: Type.Literal(true),
    ...MAP_RESULT_PROPERTIES,
    metadata: Type.Object(
      {
        url: Type.String({ description: 'The requested URL.' }),
        duration: Type.Integer({ minimum: 0, description: 'Milliseconds from the request to the response.' }),
        credits: Type.Integer({
          minimum: 0,
          description: 'Credits charged: one for each page that was read.',
        }),
      },
      { additionalProperties: false },
    ),
    requestId: Type.String({ description: 'The `X-Request-Id` of the response.' }),
  },
  { additionalProperties: false },
);

const MapResultSchema = Type.Object(MAP_RESULT_PROPERTIES);
export type MapResult = Static<typeof MapResultSchema>;
