import { type Static, Type } from 'typebox';
import { CreditsBreakdownSchema } from '../credits.ts';
import { OneOf, Timestamp } from '../schema/map-of.ts';
import { ExtractedDataSchema } from './selectors.ts';

const Credits = Type.Integer({ minimum: 0, description: 'Credits charged for the call.' });

/** One try at the page: which engine, through which proxy, what it met, how long it took. */
export const AttemptSchema = Type.Object(
  {
    engine: OneOf(['http', 'browser']),
    proxy: Type.Optional(
      Type.String({
        description: 'The proxy, by its country and its place in the pool.',
        examples: ['us-2'],
      }),
    ),
    statusCode: Type.Optional(Type.Integer()),
    outcome: Type.String({ description: '`success`, or the error code that ended the attempt.' }),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type Attempt = Static<typeof AttemptSchema>;

export const ScrapeMetadataSchema = Type.Object(
  {
    url: Type.String({ description: 'The URL that was asked for.' }),
    finalUrl: Type.String({ description: 'Where the redirects ended.' }),
    statusCode: Type.Integer({ description: 'HTTP status of the target page.' }),
    duration: Type.Integer({
      minimum: 0,
      description: 'Milliseconds from the arrival of the call to its answer.',
    }),
    timestamp: Timestamp({ description: 'When the page was scraped.' }),
    credits: Credits,
    creditsBreakdown: CreditsBreakdownSchema,
    engine: OneOf(['http', 'browser'], { description: 'What fetched the page in the end.' }),
    attempts: Type.Array(AttemptSchema, {
      description:
        'Every try at the page, oldest first; more than one with `antiBot`, or where proxies failed.',
    }),
  },
  { additionalProperties: false },
);
export type ScrapeMetadata = Static<typeof ScrapeMetadataSchema>;

/** A selector that matched nothing, or another thing that the caller should know. */
export const WarningSchema = Type.Object(
  {
    field: Type.Optional(
      Type.String({ description: 'Dotted name of the field; absent where the whole page is meant.' }),
    ),
    code: OneOf(['SELECTOR_NO_MATCH', 'XML_NOT_WELL_FORMED']),
    message: Type.String(),
  },
  { additionalProperties: false },
);
export type Warning = Static<typeof WarningSchema>;

/** The answer of `POST /v1/scrape`. */
export const ScrapeResponseSchema = Type.Object(
  {
    success: Type.Literal(true),
    data: ExtractedDataSchema,
    metadata: ScrapeMetadataSchema,
    warnings: Type.Optional(
      Type.Array(WarningSchema, {
        description: 'Present when a selector matched nothing, or the page was not what it was sent as.',
      }),
    ),
    screenshot: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        contentMediaType: 'image/png',
        description: 'The full page as PNG.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ScrapeResponse = Static<typeof ScrapeResponseSchema>;
