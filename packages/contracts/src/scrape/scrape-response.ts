import type { Static } from 'typebox';
import { CreditsBreakdownSchema } from '../credits.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { StoredFileSchema } from '../stored-file.ts';
import { Type } from '../type.ts';
import { ActionResultSchema, StepScreenshotsSchema } from './actions.ts';
import { AttemptSchema } from './attempt.ts';
import { CapturedSchema } from './capture.ts';
import { ExtractedFormatsSchema } from './formats.ts';
import { LlmUseSchema } from './model-extract.ts';
import { OverlaySchema } from './overlays.ts';
import { ExtractedDataSchema } from './selectors.ts';
import { VerdictSchema } from './verdict.ts';

const Credits = Type.Integer({ minimum: 0, description: 'Credits charged for the call.' });

/** Source of a page that was not fetched. */
export const ReuseSchema = Type.Object(
  {
    age: Type.Integer({
      minimum: 0,
      description: 'Milliseconds since the page was fetched, when the request took it.',
    }),
  },
  {
    additionalProperties: false,
    description: 'Only with `maxAge`, of a page that was extracted again instead of fetched.',
  },
);

export const ScrapeMetadataSchema = Type.Object(
  {
    url: Type.String({ description: 'The requested URL.' }),
    finalUrl: Type.String({ description: 'The URL after redirects.' }),
    statusCode: Type.Integer({ description: 'HTTP status of the target page.' }),
    duration: Type.Integer({
      minimum: 0,
      description: 'Milliseconds from the arrival of the request to its response.',
    }),
    timestamp: Timestamp({ description: 'Time at which the page was scraped.' }),
    credits: Credits,
    creditsBreakdown: CreditsBreakdownSchema,
    engine: OneOf(['http', 'browser'], { description: 'The engine of the successful attempt.' }),
    attempts: Type.Array(AttemptSchema, {
      description: 'Every attempt at the page, oldest first; several with `antiBot`, or when proxies failed.',
    }),
    verdict: Type.Optional(VerdictSchema),
    recipe: Type.Optional(
      Type.String({
        description: 'The version of the recipe whose options a scrape has used.',
        examples: ['rec_01jd8x0000000000000000000@3'],
      }),
    ),
    llm: Type.Optional(LlmUseSchema),
    actions: Type.Optional(
      Type.Array(ActionResultSchema, { description: 'The steps of `actions`, in order.' }),
    ),
    cache: Type.Optional(ReuseSchema),
    overlays: Type.Optional(
      Type.Array(OverlaySchema, { description: 'The layers that were dismissed, if there were any.' }),
    ),
  },
  { additionalProperties: false },
);
export type ScrapeMetadata = Static<typeof ScrapeMetadataSchema>;

/** Kinds of remarks about the values of a page. */
const WARNING_CODES = [
  'SELECTOR_NO_MATCH',
  'NOT_JSON',
  'PATTERN_NO_MATCH',
  'VALUE_NOT_CONVERTED',
  'VALUE_AMBIGUOUS',
  'VALUE_NOT_EXACT',
  'CURRENCY_AMBIGUOUS',
  'RECORD_LEFT_OUT',
  'MAIN_NOT_FOUND',
  'HIDDEN_TEXT',
  'XML_NOT_WELL_FORMED',
  'SNAPSHOT_NOT_KEPT',
  'SCREENSHOT_NOT_TAKEN',
  'OVERLAY_NOT_DISMISSED',
  'FRAMES_LEFT_OUT',
  'COLLECTION_CUT',
  'PDF_CUT',
  'PDF_WITHOUT_TEXT',
  'PAGE_SUSPECT',
  'RENDER_REMEMBERED',
  'EXPECTATION_FAILED',
  'VALUE_NOT_ON_PAGE',
  'LLM_FAILED',
  'KEY_MISSING',
  'RECORD_TOO_LARGE',
  'DATASET_FULL',
] as const;

/** A remark about a successful scrape, such as a selector without a match. */
export const WarningSchema = Type.Object(
  {
    field: Type.Optional(
      Type.String({
        description:
          'Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page.',
      }),
    ),
    code: OneOf(WARNING_CODES, { description: 'Kind of the remark; more kinds may be added.' }),
    message: Type.String(),
    characters: Type.Optional(
      Type.Integer({ description: 'Number of characters of hidden text; only with HIDDEN_TEXT.' }),
    ),
  },
  { additionalProperties: false },
);
export type Warning = Static<typeof WarningSchema>;

/** The response of `POST /v1/scrape`. */
export const ScrapeResponseSchema = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Optional(ExtractedDataSchema),
    formats: Type.Optional(ExtractedFormatsSchema),
    captured: Type.Optional(CapturedSchema),
    metadata: ScrapeMetadataSchema,
    warnings: Type.Optional(
      Type.Array(WarningSchema, {
        description:
          'Present when a field has no value or an uncertain one, when a page sent as XML was not well-formed, or when the page is not what was asked for.',
      }),
    ),
    screenshot: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        description: 'The image: PNG, unless `screenshot.format` names another format.',
      }),
    ),
    stepScreenshots: Type.Optional(StepScreenshotsSchema),
    requestId: Type.String({
      description: 'The `X-Request-Id` of the response, for `/v1/scrapes/{requestId}/trace`.',
    }),
    snapshotId: Type.Optional(
      Type.String({
        description:
          'The snapshot of the page, for `/v1/snapshots/{id}/…`; absent if it was too large to keep.',
      }),
    ),
    file: Type.Optional(StoredFileSchema),
  },
  { additionalProperties: false },
);
export type ScrapeResponse = Static<typeof ScrapeResponseSchema>;
