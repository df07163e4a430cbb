import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { type FirecrawlValues, firecrawlBody, ignored, refused, translated } from './option.ts';
import { FIRECRAWL_COMMON, FIRECRAWL_SCRAPE_OPTIONS, FIRECRAWL_V1_SCRAPE_OPTIONS } from './scrape-options.ts';

const flag = Type.Boolean();
const word = Type.String({ maxLength: 200 });

/** Sources of results; the last is Firecrawl's own. */
export const FIRECRAWL_SOURCES = ['web', 'news', 'images', 'alexandria'] as const;
export type FirecrawlSourceName = (typeof FIRECRAWL_SOURCES)[number];

const SourceSchema = Type.Unsafe<FirecrawlSourceName | { readonly type: FirecrawlSourceName }>({
  'x-expected': `one of ${FIRECRAWL_SOURCES.join(', ')}, or an object such as {"type": "web"}`,
  anyOf: [
    OneOf(FIRECRAWL_SOURCES),
    { type: 'object', required: ['type'], properties: { type: OneOf(FIRECRAWL_SOURCES) } },
  ],
});

const SEARCH_OPTIONS = {
  query: translated(Type.String({ minLength: 1, maxLength: LIMITS.maxQueryLength }), '`query`'),
  limit: translated(
    Type.Integer({ minimum: 1, maximum: 1000 }),
    `\`limit\`, at most ${LIMITS.maxSearchResults}, and ${LIMITS.maxPagesPerSearch} with pages; default 10 (5 in version 1)`,
  ),
  tbs: translated(word, '`time`, for `qdr:d`, `qdr:w`, `qdr:m` and `qdr:y`; others are refused'),
  timeout: ignored(
    Type.Integer({ minimum: 1 }),
    'A search takes at most 10 seconds, and each page the `timeout` of `scrapeOptions`.',
    [60_000],
  ),
  location: ignored(word, 'Results are those of the engines that SearXNG asks.'),
  country: ignored(word, 'Results are those of the engines that SearXNG asks.', ['us', 'US']),
  ignoreInvalidURLs: ignored(flag, 'Results that cannot be scraped are always left out.', [true, false]),
  ...FIRECRAWL_COMMON,
};

const SCRAPE_NOTE =
  'the pages of the results of `web`, with the options of `/scrape`; without `formats` nothing is scraped';

/** Options of `POST /search`. */
export const FIRECRAWL_SEARCH = {
  ...SEARCH_OPTIONS,
  includeDomains: translated(
    Type.Array(word, { maxItems: 100 }),
    '`site`, for one of them; several are refused',
  ),
  sources: translated(
    Type.Array(SourceSchema, { maxItems: 10 }),
    'searches of `web`, `news` and `images`, each with its `limit`; default `web`. `alexandria` is left out beside them, and refused alone',
  ),
  scrapeOptions: translated(
    Type.Unsafe<FirecrawlValues<typeof FIRECRAWL_SCRAPE_OPTIONS>>(firecrawlBody(FIRECRAWL_SCRAPE_OPTIONS)),
    SCRAPE_NOTE,
  ),
  highlights: ignored(flag, 'Descriptions are those of the search engines.', [true, false]),
  excludeDomains: refused('Write `-site:example.com` into the `query`.'),
  categories: refused('Write `site:github.com` or `filetype:pdf` into the `query`.'),
  enterprise: refused('Searches go to the SearXNG of the operator.'),
  domainTools: ignored(flag, 'There is no directory of tools.', [false]),
  toolDetail: ignored(word, 'There is no directory of tools.'),
};

/** Options of `POST /search` of version 1. */
export const FIRECRAWL_V1_SEARCH = {
  ...SEARCH_OPTIONS,
  lang: translated(Type.String({ maxLength: 20 }), '`lang`'),
  filter: ignored(word, 'Write the operators of the search engines into the `query`.', ['']),
  scrapeOptions: translated(
    Type.Unsafe<FirecrawlValues<typeof FIRECRAWL_V1_SCRAPE_OPTIONS>>(
      firecrawlBody(FIRECRAWL_V1_SCRAPE_OPTIONS),
    ),
    SCRAPE_NOTE,
  ),
};
