import { type Static, Type } from 'typebox';
import { CreditsBreakdownSchema } from '../credits.ts';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf, Timestamp } from '../schema/map-of.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { AttemptSchema, WarningSchema } from '../scrape/scrape-response.ts';
import { ClimbSchema } from './climb.ts';

/** Scrape one page while somebody waits. */
export const ScrapeCommandSchema = Type.Object(
  {
    requestId: Type.String(),
    accountId: Type.String(),
    deadlineMs: Type.Integer({
      description: 'When the answer is no longer wanted, in milliseconds since 1970.',
    }),
    timeoutMs: Type.Integer({ description: 'The whole budget; bounds the work where clocks differ.' }),
    request: ScrapeRequestSchema,
    climb: Type.Optional(ClimbSchema),
  },
  { additionalProperties: false },
);
export type ScrapeCommand = Static<typeof ScrapeCommandSchema>;

/** A page as the scraper found it; the gateway adds what only it knows (duration, credits). */
export const ScrapeResultSchema = Type.Object(
  {
    /** The extracted data as JSON text: nobody on its way to the caller needs to look inside. */
    dataJson: Type.String(),
    warnings: Type.Array(WarningSchema),
    finalUrl: Type.String(),
    statusCode: Type.Integer(),
    timestamp: Timestamp(),
    engine: OneOf(['http', 'browser']),
    attempts: Type.Array(AttemptSchema),
    price: CreditsBreakdownSchema,
    screenshot: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ScrapeResult = Static<typeof ScrapeResultSchema>;

/** What comes back for a command: the page, or why there is none. */
export const ScrapeReplySchema = Type.Union([
  Type.Object({ ok: Type.Literal(true), result: ScrapeResultSchema }, { additionalProperties: false }),
  Type.Object(
    { ok: Type.Literal(false), failure: FailureSchema, attempts: Type.Array(AttemptSchema) },
    { additionalProperties: false },
  ),
]);
export type ScrapeReply = Static<typeof ScrapeReplySchema>;

/** Whoever waited for the request has gone; its work may stop. */
export const ScrapeCancellationSchema = Type.Object(
  { requestId: Type.String() },
  { additionalProperties: false },
);
export type ScrapeCancellation = Static<typeof ScrapeCancellationSchema>;
