import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { ExtractedFormatsSchema, FormatsSchema, LocaleSchema } from './formats.ts';
import { WarningSchema } from './scrape-response.ts';
import { ExtractedDataSchema, SelectorMapSchema } from './selectors.ts';
import { VerdictSchema } from './verdict.ts';

/** Options of an extraction from HTML: the scrape options not about fetching. */
export const EXTRACT_OPTION_PROPERTIES = {
  selectors: Type.Optional(SelectorMapSchema),
  formats: Type.Optional(FormatsSchema),
  locale: Type.Optional(LocaleSchema),
  overlays: Type.Optional(
    OneOf(['keep', 'hide'], {
      description:
        'With `hide`, the formats `markdown`, `text` and `article` leave out the layers of known consent platforms. Default keep.',
    }),
  ),
};

/** The body of `POST /v1/extract`. */
export const ExtractRequestSchema = Type.Object(
  {
    html: Type.String({
      minLength: 1,
      description: `The page, as HTML: at most ${LIMITS.maxPageBytes} bytes in UTF-8.`,
      examples: ['<h1>Kettle</h1>'],
    }),
    url: Type.Optional(
      Type.String({
        description:
          'The address of the page, with http or https, to which its links are relative. It is not fetched. Without it, relative links are not resolved.',
        examples: ['https://example.com/'],
      }),
    ),
    ...EXTRACT_OPTION_PROPERTIES,
  },
  { additionalProperties: false },
);
export type ExtractRequest = Static<typeof ExtractRequestSchema>;

/** Facts about an extraction. */
const ExtractMetadataSchema = Type.Object(
  {
    url: Type.Optional(Type.String({ description: 'The `url` of the request.' })),
    timestamp: Timestamp({ description: 'Time at which the page was read.' }),
    duration: Type.Integer({ minimum: 0, description: 'Milliseconds that reading the page took.' }),
    credits: Type.Literal(0, { description: 'Nothing is fetched, so nothing is charged.' }),
    verdict: VerdictSchema,
  },
  { additionalProperties: false },
);

/** The response of `POST /v1/extract`. */
export const ExtractResponseSchema = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Optional(ExtractedDataSchema),
    formats: Type.Optional(ExtractedFormatsSchema),
    metadata: ExtractMetadataSchema,
    warnings: Type.Optional(Type.Array(WarningSchema)),
    requestId: Type.String({ description: 'The `X-Request-Id` of the response.' }),
  },
  { additionalProperties: false },
);
export type ExtractResponse = Static<typeof ExtractResponseSchema>;
