import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { RECIPE_OPTION_PROPERTIES } from '../recipes/recipe.ts';
import { SCRAPE_OPTIONS } from '../scrape/scrape-options.ts';
import { Type } from '../type.ts';

/** Periods that results may be of. */
export const SEARCH_TIMES = ['day', 'week', 'month', 'year'] as const;

/** A session belongs to one site, and results are of many. */
const { profile: _profile, ...OPTION_PROPERTIES } = RECIPE_OPTION_PROPERTIES;

const ResultOptionsSchema = Type.Object(
  { recipe: SCRAPE_OPTIONS.recipe.schema, ...OPTION_PROPERTIES },
  {
    additionalProperties: false,
    description: `Scrape the results, with these options of a scrape: up to ${LIMITS.maxPagesPerSearch} while you wait, more as a job. Not among them are method and body, cookies and a profile, and no header or step may hold a secret: the search engines choose the sites.`,
  },
);

/** The body of `POST /v1/search`. */
export const SearchRequestSchema = Type.Object(
  {
    query: Type.String({
      maxLength: LIMITS.maxQueryLength,
      pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$',
      'x-expected': `a text of 1 to ${LIMITS.maxQueryLength} characters without control characters`,
      description: 'The words to search for.',
      examples: ['book shop'],
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxSearchResults,
        description: 'Most results that are returned. Default 10.',
      }),
    ),
    time: Type.Optional(
      OneOf(SEARCH_TIMES, {
        description: 'Only results of the last day, week, month or year, from engines that know.',
      }),
    ),
    lang: Type.Optional(
      Type.String({
        maxLength: 20,
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$',
        'x-expected': 'a language tag such as "de" or "en-US"',
        description: 'Language of the results. Default that of SearXNG.',
        examples: ['de'],
      }),
    ),
    site: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        pattern: '^[\\p{L}\\p{N}_-]+(\\.[\\p{L}\\p{N}_-]+)*$',
        'x-expected': 'a host such as "docs.example.com"',
        description: 'Only results of this host and its subdomains.',
        examples: ['docs.example.com'],
      }),
    ),
    scrape: Type.Optional(ResultOptionsSchema),
    maxCredits: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The most that all pages together may cost: each gets what it needs at least, then the first results what dearer ways would cost. Pages for which nothing is left fail with INSUFFICIENT_CREDITS. Only with `scrape`.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SearchRequest = Static<typeof SearchRequestSchema>;

/** Options of a scrape that hold for all results of a search. */
export type ResultOptions = NonNullable<SearchRequest['scrape']>;

/** Results of a search that names no limit. */
export const DEFAULT_SEARCH_LIMIT = 10;
