import {
  defined,
  FIRECRAWL_SEARCH,
  type FIRECRAWL_V1_SEARCH,
  type FirecrawlSourceName,
  type FirecrawlValues,
  LIMITS,
  type SearchRequest,
} from '@gleaner/contracts';
import { ignoredIn, NotSupported, refusedIn } from './not-supported.ts';
import { type Translation, type TranslationRules, translatePage } from './translate-scrape.ts';

/** Body of a search of either version. */
export type FirecrawlSearch = FirecrawlValues<
  typeof FIRECRAWL_SEARCH & Omit<typeof FIRECRAWL_V1_SEARCH, 'scrapeOptions'>
>;

/** Sources that SearXNG has. */
export type Source = Exclude<FirecrawlSourceName, 'alexandria'>;

/** A search of one or more sources, with the options for the pages of `web` if they are wanted. */
export interface SearchTranslation extends Translation<SearchRequest> {
  readonly sources: readonly Source[];
}

const SOURCES: readonly Source[] = ['web', 'news', 'images'];

const TIMES: ReadonlyMap<string, NonNullable<SearchRequest['time']>> = new Map([
  ['qdr:d', 'day'],
  ['qdr:w', 'week'],
  ['qdr:m', 'month'],
  ['qdr:y', 'year'],
]);

/** Translates `POST /search` of either version. Throws NotSupported with everything that has no equal. */
export function translateSearch(
  {
    query = '',
    limit,
    tbs = '',
    includeDomains = [],
    sources: given = [],
    lang,
    scrapeOptions = {},
    ...search
  }: FirecrawlSearch,
  defaultLimit: number,
  rules: TranslationRules,
): SearchTranslation {
  const time = TIMES.get(tbs);
  const named = given.map((source) => (typeof source === 'string' ? source : source.type));
  const types = new Set(named.length > 0 ? named : ['web' as const]);
  const sources = SOURCES.filter((source) => types.has(source));
  const refused = (path: keyof typeof FIRECRAWL_SEARCH) => ({
    path,
    message: `is not supported. It becomes ${FIRECRAWL_SEARCH[path].note}.`,
  });
  const details = [
    ...refusedIn(search, FIRECRAWL_SEARCH),
    ...(tbs !== '' && !time ? [refused('tbs')] : []),
    ...(includeDomains.length > 1 ? [refused('includeDomains')] : []),
    ...(sources.length === 0 ? [refused('sources')] : []),
  ];
  if (details.length > 0) throw new NotSupported(details);
  const isScraped = (scrapeOptions.formats ?? []).length > 0;
  const page = isScraped ? translatePage(scrapeOptions, rules, 'scrapeOptions.') : undefined;
  const most = page ? LIMITS.maxPagesPerSearch : LIMITS.maxSearchResults;
  const [site] = includeDomains;
  return {
    sources,
    options: {
      query,
      limit: Math.min(limit ?? defaultLimit, most),
      ...defined({ time, lang, site, scrape: page?.options }),
    },
    warnings: [
      ...ignoredIn(search, FIRECRAWL_SEARCH),
      ...(types.has('alexandria') ? ['sources: alexandria is left out.'] : []),
      ...(page?.warnings ?? []).map((warning) => `scrapeOptions.${warning}`),
      ...(limit !== undefined && limit > most
        ? [`limit is ${most}, the most${page ? ' with pages' : ''} here.`]
        : []),
    ],
  };
}
