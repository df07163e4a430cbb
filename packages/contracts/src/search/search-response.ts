import type { Static } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { JobSchema } from '../jobs/job.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { ScrapeResponseSchema } from '../scrape/scrape-response.ts';
import { Type } from '../type.ts';

const FOUND_PROPERTIES = {
  url: Type.String(),
  title: Type.String(),
  snippet: Type.String({ description: 'Text from the page, as the search engine shows it; may be empty.' }),
  publishedAt: Type.Optional(Timestamp({ description: 'Date of the page, if the search engine knows it.' })),
};

/** A page that a search has found. */
export const FoundPageSchema = Type.Object(FOUND_PROPERTIES, { additionalProperties: false });
export type FoundPage = Static<typeof FoundPageSchema>;

/** A result of a search, with its page if it was scraped. */
export const SearchResultSchema = Type.Object(
  {
    ...FOUND_PROPERTIES,
    page: Type.Optional(ScrapeResponseSchema),
    error: Type.Optional(FailureSchema),
  },
  {
    additionalProperties: false,
    description: 'With `scrape` while you wait: the `page` as a scrape answers it, or the `error`.',
  },
);

/** Kinds of remarks about the results of a search. */
export const SEARCH_WARNING_CODES = [
  'ENGINE_UNRESPONSIVE',
  'RESULTS_LEFT_OUT',
  'RESULTS_INCOMPLETE',
] as const;

/** A remark about the results of a search. */
export const SearchWarningSchema = Type.Object(
  {
    code: OneOf(SEARCH_WARNING_CODES, {
      description:
        'ENGINE_UNRESPONSIVE: an engine of SearXNG did not answer; RESULTS_LEFT_OUT: results that cannot be scraped, or are there twice; RESULTS_INCOMPLETE: further results could not be read.',
    }),
    message: Type.String(),
  },
  { additionalProperties: false },
);
export type SearchWarning = Static<typeof SearchWarningSchema>;

/** The response of `POST /v1/search`. */
export const SearchResponseSchema = Type.Object(
  {
    success: Type.Literal(true),
    results: Type.Array(SearchResultSchema, { description: 'The best first.' }),
    warnings: Type.Array(SearchWarningSchema),
    job: Type.Optional(JobSchema),
    metadata: Type.Object(
      {
        query: Type.String(),
        duration: Type.Integer({ minimum: 0, description: 'Milliseconds from the request to the response.' }),
        credits: Type.Integer({
          minimum: 0,
          description: 'Credits charged for the pages of the response; the search itself costs none.',
        }),
      },
      { additionalProperties: false },
    ),
    requestId: Type.String({ description: 'The `X-Request-Id` of the response.' }),
  },
  { additionalProperties: false },
);
