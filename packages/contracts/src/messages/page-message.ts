import { type Static, Type } from 'typebox';
import { CreditsBreakdownSchema } from '../credits.ts';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf, Timestamp } from '../schema/map-of.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { AttemptSchema, WarningSchema } from '../scrape/scrape-response.ts';
import { ClimbSchema } from './climb.ts';

/** Which try at which page of which job: what fences a worker that wakes up late. */
const PAGE_ATTEMPT_PROPERTIES = {
  jobId: Type.String(),
  pageId: Type.String(),
  /** The try, from 1; an outcome of an older one changes nothing. */
  attempt: Type.Integer({ minimum: 1 }),
};

/** Scrape one page of a job. */
export const PageCommandSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    accountId: Type.String(),
    /** The whole budget of this try, from the moment that a worker takes it. */
    timeoutMs: Type.Integer({ minimum: 1 }),
    /** Who takes it later, in milliseconds since 1970, leaves it: another try is on its way. */
    startBeforeMs: Type.Integer(),
    request: ScrapeRequestSchema,
    climb: Type.Optional(ClimbSchema),
  },
  { additionalProperties: false },
);
export type PageCommand = Static<typeof PageCommandSchema>;

const PageFoundSchema = Type.Object(
  {
    kind: OneOf(['found']),
    /** As it was asked for. */
    url: Type.String(),
    /** The extracted data as JSON text: nobody on its way to the caller needs to look inside. */
    dataJson: Type.String(),
    warnings: Type.Array(WarningSchema),
    finalUrl: Type.String(),
    statusCode: Type.Integer(),
    timestamp: Timestamp(),
    engine: OneOf(['http', 'browser']),
    attempts: Type.Array(AttemptSchema),
    price: CreditsBreakdownSchema,
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type PageFound = Static<typeof PageFoundSchema>;

const PageFailedSchema = Type.Object(
  { kind: OneOf(['failed']), failure: FailureSchema },
  { additionalProperties: false },
);

/** The worker that had the try before is gone, and did not say what came of it. */
const PageLostSchema = Type.Object({ kind: OneOf(['lost']) }, { additionalProperties: false });

/** What came of one try at a page. */
export const PageOutcomeSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    outcome: Type.Union([PageFoundSchema, PageFailedSchema, PageLostSchema]),
  },
  { additionalProperties: false },
);
export type PageOutcome = Static<typeof PageOutcomeSchema>;

/** A page that was found, with its screenshot: by a queue of its own, since few of them fit into memory at once. */
export const PageWithScreenshotSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    outcome: PageFoundSchema,
    /** PNG in base64. */
    screenshot: Type.String(),
  },
  { additionalProperties: false },
);
export type PageWithScreenshot = Static<typeof PageWithScreenshotSchema>;
