import type { Static } from 'typebox';
import { SealedSecretSchema } from '../access/secret.ts';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf } from '../map-of.ts';
import { TracedAttemptSchema } from '../scrape/attempt.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { Type } from '../type.ts';
import { ClimbSchema } from './climb.ts';
import {
  CrawlFindingsSchema,
  PageCrawlSchema,
  PageNotDocumentSchema,
  PageNotModifiedSchema,
  PageRedirectedSchema,
  RobotsFoundSchema,
  SitemapFoundSchema,
} from './crawl-message.ts';
import { lengthOfExtracted } from './extracted.ts';
import { ProfileUseSchema, UsedStateSchema } from './profile-use.ts';
import { REUSE_PROPERTIES, SCRAPED_PROPERTIES } from './scrape-command.ts';
import { PackedPageSchema } from './snapshot-command.ts';

/** Identifies one attempt at one page of a job, so that the outcome of an outdated attempt is ignored. */
const PAGE_ATTEMPT_PROPERTIES = {
  jobId: Type.String(),
  pageId: Type.String(),
  /** Number of the attempt, from 1; the outcome of an older attempt changes nothing. */
  attempt: Type.Integer({ minimum: 1 }),
};

/** A page that is scraped after another one of the same host, with the same options. */
const FurtherPageSchema = Type.Object(
  {
    pageId: PAGE_ATTEMPT_PROPERTIES.pageId,
    attempt: PAGE_ATTEMPT_PROPERTIES.attempt,
    url: Type.String(),
    reuseKey: REUSE_PROPERTIES.reuseKey,
    validators: PageCrawlSchema.properties.validators,
  },
  { additionalProperties: false },
);

/**
 * Scrapes pages of one job and one host, one after the other: a lane. So a place at the host is in use without a pause, and
 * is given up when the last page is done.
 */
export const PageCommandSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    accountId: Type.String(),
    /** Time budget of this attempt, counted from its start on a worker. */
    timeoutMs: Type.Integer({ minimum: 1 }),
    /** Milliseconds since 1970; a worker that receives the message later drops it, because the page is already being retried. */
    startBeforeMs: Type.Integer(),
    request: ScrapeRequestSchema,
    climb: Type.Optional(ClimbSchema),
    /** Secrets named in the actions of the request, encrypted. */
    secrets: Type.Optional(Type.Array(SealedSecretSchema)),
    profile: Type.Optional(ProfileUseSchema),
    crawl: Type.Optional(PageCrawlSchema),
    /** The span that the page belongs to, in the body because it is known per page. */
    traceparent: Type.Optional(Type.String()),
    ...REUSE_PROPERTIES,
    /** Ids of the pages to send with their outcome although `snapshot` does not ask for it. */
    evidence: Type.Optional(Type.Array(Type.String())),
    /** Milliseconds between two requests to the host, for what a scraper asks beside the page. */
    pauseMs: Type.Optional(Type.Integer({ minimum: 1 })),
    /** The pages after the first. */
    further: Type.Optional(Type.Array(FurtherPageSchema)),
  },
  { additionalProperties: false },
);
export type PageCommand = Static<typeof PageCommandSchema>;

/**
 * Time in milliseconds after the start of a lane in which further pages of it are started. The rest goes back, so that other
 * pages wait for none of them, and a lane that is cut off loses little.
 */
export const LANE_MS = 1500;

const PageFoundSchema = Type.Object(
  {
    kind: OneOf(['found']),
    /** The requested URL. */
    url: Type.String(),
    ...SCRAPED_PROPERTIES,
    durationMs: Type.Integer({ minimum: 0 }),
    /** Number of the session of its profile. */
    session: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Hash of what a page with little text shows. */
    thinHash: Type.Optional(Type.String()),
    /** Only of pages of a crawl. */
    crawl: Type.Optional(CrawlFindingsSchema),
  },
  { additionalProperties: false },
);
export type PageFound = Static<typeof PageFoundSchema>;

const PageFailedSchema = Type.Object(
  {
    kind: OneOf(['failed']),
    failure: FailureSchema,
    /** Attempts at the target page with the times of their stages. */
    attempts: Type.Optional(Type.Array(TracedAttemptSchema)),
    /** With PROFILE_EXPIRED: the state that the page was fetched with. */
    signedOut: Type.Optional(UsedStateSchema),
    /** Bytes of the request may have been sent. */
    wasSent: Type.Optional(Type.Boolean()),
    /** The page that lacks required fields, if it shows the fields of its schedule. */
    snapshot: Type.Optional(PackedPageSchema),
  },
  { additionalProperties: false },
);

/** The worker that had the attempt before ended without reporting an outcome of this page, and perhaps of others of its lane. */
const PageLostSchema = Type.Object(
  {
    kind: OneOf(['lost']),
    /** The pages after the first of its lane. */
    further: Type.Optional(
      Type.Array(
        Type.Object(
          { pageId: PAGE_ATTEMPT_PROPERTIES.pageId, attempt: PAGE_ATTEMPT_PROPERTIES.attempt },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false },
);

/** The lane ended before this page was started. */
const PageUnstartedSchema = Type.Object({ kind: OneOf(['unstarted']) }, { additionalProperties: false });

/** Outcome of one attempt at a page. */
export const PageOutcomeSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    outcome: Type.Union([
      PageFoundSchema,
      PageFailedSchema,
      PageLostSchema,
      PageUnstartedSchema,
      PageRedirectedSchema,
      PageNotDocumentSchema,
      PageNotModifiedSchema,
      RobotsFoundSchema,
      SitemapFoundSchema,
    ]),
  },
  { additionalProperties: false },
);
export type PageOutcome = Static<typeof PageOutcomeSchema>;

/** Returns the number of characters of the parts of a page that may be large, without its links. */
export function lengthOfPage(outcome: PageOutcome['outcome'] | { readonly kind: 'overdue' }): number {
  const snapshot = 'snapshot' in outcome ? outcome.snapshot : undefined;
  const kept = snapshot?.source.length ?? 0;
  if (outcome.kind !== 'found') return kept;
  return lengthOfExtracted(outcome) + kept + (outcome.reusable?.source.length ?? 0);
}

/** A scraped page with its screenshot. It has a queue of its own, because only a few fit into memory at once. */
export const PageWithScreenshotSchema = Type.Object(
  {
    ...PAGE_ATTEMPT_PROPERTIES,
    outcome: PageFoundSchema,
    /** Image in base64. */
    screenshot: Type.String(),
  },
  { additionalProperties: false },
);
export type PageWithScreenshot = Static<typeof PageWithScreenshotSchema>;

/** Length of extracted data above which an outcome goes to `pages.large-results`: few of them fit into memory at once. */
export const LARGE_RESULT_LENGTH = 256 * 1024;
