import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Kinds of events of a job. */
export const JOB_EVENT_TYPES = [
  'job.started',
  'job.pages',
  'job.completed',
  'job.partial',
  'job.failed',
  'job.cancelled',
] as const;
export type JobEventType = (typeof JOB_EVENT_TYPES)[number];

/** Events for webhooks. Events beyond the default ones are sent only to webhooks naming them. */
export const WEBHOOK_EVENT_TYPES = [
  ...JOB_EVENT_TYPES,
  'job.changed',
  'dataset.changed',
  'schedule.changed',
  'schedule.drift',
  'schedule.recovered',
  'profile.expired',
  'profile.failed',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** The events that are sent when a webhook does not name any. */
export const DEFAULT_WEBHOOK_EVENTS = [
  'job.completed',
  'job.partial',
  'job.failed',
  'job.cancelled',
  'schedule.drift',
  'schedule.recovered',
  'profile.expired',
  'profile.failed',
] as const satisfies WebhookEventType[];

/** A webhook with options. */
export interface WebhookOptions {
  url: string;
  events?: WebhookEventType[];
  /** Returned unchanged in `data.metadata` of every event. */
  metadata?: Record<string, string>;
}

const WEBHOOK_PROPERTIES = {
  url: Type.String({ maxLength: LIMITS.maxUrlLength }),
  events: Type.Optional(
    Type.Array(OneOf(WEBHOOK_EVENT_TYPES), {
      minItems: 1,
      maxItems: WEBHOOK_EVENT_TYPES.length,
      uniqueItems: true,
    }),
  ),
  metadata: Type.Optional(MapOf(Type.String({ maxLength: 500 }), { maxProperties: 50 })),
};

/** Target of results: a URL, or a URL with options. */
export const WebhookSchema = Type.Unsafe<string | WebhookOptions>({
  description: 'URL that receives the results, or `{url, events, metadata}`.',
  'x-expected': 'a URL, or an object {url, events, metadata}',
  anyOf: [
    { type: 'string', maxLength: LIMITS.maxUrlLength },
    Type.Object(WEBHOOK_PROPERTIES, { additionalProperties: false }),
  ],
});

/** Wishes of a webhook of Firecrawl's API, beside Gleaner's events. */
export interface FirecrawlWebhook {
  /** First part of the names of its events. */
  kind: 'crawl' | 'batch_scrape';
  /** Sent with every event. */
  headers?: Record<string, string>;
  /** Returned unchanged in every event. */
  metadata?: object;
}

/** A webhook as jobs store it. */
export interface StoredWebhook extends WebhookOptions {
  /** Present if the events have the form of Firecrawl's; set by the gateway alone. */
  firecrawl?: FirecrawlWebhook;
}

/** The webhook of a job, in messages between services. */
export const StoredWebhookSchema = Type.Unsafe<string | StoredWebhook>({
  anyOf: [
    { type: 'string', maxLength: LIMITS.maxUrlLength },
    Type.Object(
      {
        ...WEBHOOK_PROPERTIES,
        firecrawl: Type.Optional(
          Type.Object(
            {
              kind: OneOf(['crawl', 'batch_scrape']),
              headers: Type.Optional(MapOf(Type.String())),
              metadata: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  ],
});
