import type { Static } from 'typebox';
import { type MapRequest, MapRequestSchema, MapSourceSchema } from '../crawl/map-request.ts';
import { ERROR_CODES } from '../errors/error-table.ts';
import { type CreateJobBody, CreateJobRequestSchema } from '../jobs/create-job.ts';
import { OneOf } from '../map-of.ts';
import { type CreateScheduleRequest, CreateScheduleRequestSchema } from '../schedules/schedule-settings.ts';
import { type ScrapeRequest, ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { Type } from '../type.ts';

/** Options that only maps have. */
const MAP_OPTIONS = Object.keys(MapRequestSchema.properties).filter(
  (name) => !Object.hasOwn(ScrapeRequestSchema.properties, name),
);

/**
 * The body of `POST /v1/estimate`: that of a schedule if it has `cron`, of a job if it has `urls` or `requests`, of a map if it
 * has one of its own options, else of a scrape.
 */
export const EstimateRequestSchema = Type.Unsafe<
  CreateScheduleRequest | CreateJobBody | MapRequest | ScrapeRequest
>({
  description:
    'The body of a scrape (`url`), a map (`url` and one of its own options, such as `depth`), a job or crawl (`urls` or `requests`), or a schedule (`cron`).',
  anyOf: [CreateScheduleRequestSchema, CreateJobRequestSchema, MapRequestSchema, ScrapeRequestSchema],
  'x-told-by': ['cron', ['urls', 'requests'], MAP_OPTIONS],
});
export type EstimateRequest = Static<typeof EstimateRequestSchema>;

/** The query of `POST /v1/estimate`. */
export const EstimateQuerySchema = Type.Object(
  {
    look: Type.Optional(
      OneOf(['true', 'false'], {
        description:
          '`true` fetches up to five pages of the request, robots.txt, and the sitemaps of a crawl, to say what they are and cost. Default false.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The kinds of requests that have an estimate. */
export const ESTIMATED = ['scrape', 'map', 'job', 'crawl', 'schedule'] as const;

/** Tells a map from a scrape. */
export function isMapRequest(body: MapRequest | ScrapeRequest): body is MapRequest {
  return MAP_OPTIONS.some((name) => name in body);
}

/** Cost of a request and what would make it fail, before it is sent. */
export const EstimateSchema = Type.Object(
  {
    of: OneOf(ESTIMATED, {
      description: 'What the body creates. Figures of a schedule are those of one run.',
    }),
    credits: Type.Object(
      {
        worst: Type.Integer({ minimum: 0, description: 'The most that it can cost.' }),
        expected: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'The cost if every page succeeds and comes in the first way that is tried: without a step of `antiBot`, and not rendered with `render: "auto"`. With `look`, the cost if all pages are like those that were looked at. Left out without `look` for crawls, and for maps that read more than the start page: the number of their pages is not known.',
          }),
        ),
        basis: OneOf(['options', 'urls', 'limit', 'maxCredits'], {
          description:
            'What `worst` rests on: the `options` of one page, or of a map; these for all different `urls`; for the `limit` of a crawl; or `maxCredits`.',
        }),
      },
      { additionalProperties: false },
    ),
    pages: Type.Object(
      { atLeast: Type.Integer({ minimum: 0 }), atMost: Type.Integer({ minimum: 0 }) },
      {
        additionalProperties: false,
        description: 'Number of pages that are fetched if none fails; equal URLs are fetched once.',
      },
    ),
    runsPerDay: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Runs of a schedule in a day, at the pace of its next 20. Left out for others.',
      }),
    ),
    problems: Type.Array(
      Type.Object(
        { code: OneOf(ERROR_CODES), message: Type.String(), suggestion: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'What would make the request fail, now or later, although its body is valid.' },
    ),
    look: Type.Optional(
      Type.Object(
        {
          sources: Type.Array(MapSourceSchema, {
            description:
              'Everything that was read, as in `POST /v1/map`; a page without `verdict` is content.',
          }),
          urls: Type.Optional(
            Type.Integer({
              minimum: 0,
              description:
                'Of a crawl: different URLs of it that its start pages and sitemaps name, counted up to 1000 for each start page.',
            }),
          ),
          complete: Type.Boolean({ description: 'False if some of it could not be read, or took too long.' }),
        },
        { additionalProperties: false, description: 'Present with `look=true`.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Estimate = Static<typeof EstimateSchema>;
