import type { Static } from 'typebox';
import { SealedSecretSchema } from '../access/secret.ts';
import { CreditsBreakdownSchema, totalCredits } from '../credits.ts';
import { defined } from '../defined.ts';
import { FailureSchema } from '../errors/failure.ts';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { ActionResultSchema } from '../scrape/actions.ts';
import { shownAttempts, TracedAttemptSchema } from '../scrape/attempt.ts';
import { LlmUseSchema } from '../scrape/model-extract.ts';
import { OverlaySchema } from '../scrape/overlays.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { ReuseSchema, type ScrapeMetadata, type Warning, WarningSchema } from '../scrape/scrape-response.ts';
import { suspectWarnings, VerdictSchema } from '../scrape/verdict.ts';
import { StoredFileSchema } from '../stored-file.ts';
import { Type } from '../type.ts';
import { ClimbSchema } from './climb.ts';
import { EXTRACTED_PROPERTIES } from './extracted.ts';
import { LeftStateSchema, ProfileUseSchema } from './profile-use.ts';
import { KeptPageSchema, PackedPageSchema, ReusablePageSchema } from './snapshot-command.ts';

/** Properties for `maxAge` of a page to scrape. */
export const REUSE_PROPERTIES = {
  /** Key under which the page may be kept. */
  reuseKey: Type.Optional(Type.String()),
  /** The page as it was fetched before; with null, a page of a job that is not kept any more. */
  kept: Type.Optional(Nullable(KeptPageSchema)),
};

/** Scrapes one page while the caller waits. */
export const ScrapeCommandSchema = Type.Object(
  {
    requestId: Type.String(),
    accountId: Type.String(),
    deadlineMs: Type.Integer({
      description: 'Milliseconds since 1970 after which the caller no longer waits.',
    }),
    timeoutMs: Type.Integer({ description: 'The whole time budget; it bounds the work when clocks differ.' }),
    request: ScrapeRequestSchema,
    climb: Type.Optional(ClimbSchema),
    /** Secrets named in the actions of the request, encrypted. */
    secrets: Type.Optional(Type.Array(SealedSecretSchema)),
    profile: Type.Optional(ProfileUseSchema),
    ...REUSE_PROPERTIES,
  },
  { additionalProperties: false },
);
export type ScrapeCommand = Static<typeof ScrapeCommandSchema>;

/** Outcome of reading a page, for a caller that waits and for a job alike. */
export const SCRAPED_PROPERTIES = {
  ...EXTRACTED_PROPERTIES,
  warnings: Type.Array(WarningSchema),
  /** Absent when a scraper of an older version sent it. */
  verdict: Type.Optional(VerdictSchema),
  llm: Type.Optional(LlmUseSchema),
  actions: Type.Optional(Type.Array(ActionResultSchema)),
  overlays: Type.Optional(Type.Array(OverlaySchema)),
  finalUrl: Type.String(),
  statusCode: Type.Integer(),
  timestamp: Timestamp(),
  engine: OneOf(['http', 'browser']),
  attempts: Type.Array(TracedAttemptSchema),
  price: CreditsBreakdownSchema,
  /** State that the page has left in its profile, where it differs. */
  leftState: Type.Optional(LeftStateSchema),
  /** The page itself, to be kept. */
  snapshot: Type.Optional(PackedPageSchema),
  /** The page, to be kept for `maxAge`. */
  reusable: Type.Optional(ReusablePageSchema),
  /** Only for a page that was not fetched. */
  cache: Type.Optional(ReuseSchema),
  file: Type.Optional(StoredFileSchema),
};

/** A scraped page; the gateway adds the duration and the credits. */
export const ScrapeResultSchema = Type.Object(
  {
    ...SCRAPED_PROPERTIES,
    screenshot: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ScrapeResult = Static<typeof ScrapeResultSchema>;

/** Returns the metadata of a page that was read and the warnings about it, as responses and results show them. */
export function describePage(
  read: Omit<ScrapeResult, 'screenshot'>,
  { url, durationMs }: { readonly url: string; readonly durationMs: number },
): { metadata: ScrapeMetadata; warnings?: Warning[] } {
  const { finalUrl, statusCode, timestamp, engine, attempts, price, verdict, llm, actions, overlays, cache } =
    read;
  const warnings = [...suspectWarnings(verdict), ...read.warnings];
  return {
    metadata: {
      url,
      finalUrl,
      statusCode,
      duration: durationMs,
      timestamp,
      credits: totalCredits(price),
      creditsBreakdown: price,
      engine,
      attempts: shownAttempts(attempts),
      ...defined({ verdict, llm, actions, overlays, cache }),
    },
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Reply to the command: the page, or the error. */
export const ScrapeReplySchema = Type.Union([
  Type.Object({ ok: Type.Literal(true), result: ScrapeResultSchema }, { additionalProperties: false }),
  Type.Object(
    {
      ok: Type.Literal(false),
      failure: FailureSchema,
      attempts: Type.Array(TracedAttemptSchema),
      /** Bytes of the request may have been sent. */
      wasSent: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
]);
export type ScrapeReply = Static<typeof ScrapeReplySchema>;

/** Announces the disconnection of a caller, so that the work for its request can stop. */
export const ScrapeCancellationSchema = Type.Object(
  { requestId: Type.String() },
  { additionalProperties: false },
);
