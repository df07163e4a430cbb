import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { UrlPatternSchema } from '../url-pattern.ts';
import { METHODS } from './request-body.ts';

/** Kinds of requests that a page makes, as the developer tools of a browser name them. */
export const CAPTURED_TYPES = ['xhr', 'fetch', 'eventsource', 'document', 'script', 'other'] as const;
export type CapturedType = (typeof CAPTURED_TYPES)[number];

/** Number of responses that are kept under a name unless `limit` says otherwise. */
export const DEFAULT_CAPTURE_LIMIT = 20;

const CaptureRuleSchema = Type.Object(
  {
    url: UrlPatternSchema,
    method: Type.Optional(OneOf(METHODS, { description: 'Only requests with this method. Default: any.' })),
    types: Type.Optional(
      Type.Array(OneOf(CAPTURED_TYPES), {
        minItems: 1,
        maxItems: CAPTURED_TYPES.length,
        uniqueItems: true,
        description: 'Kinds of requests. Default xhr and fetch, by which scripts load data.',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.maxCapturedPerName,
        description:
          'Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxCapturedPerName,
        description: `Number of responses that are kept, the first ones. Default ${DEFAULT_CAPTURE_LIMIT}.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type CaptureRule = Static<typeof CaptureRuleSchema>;

/** Names of captures, and the requests whose responses they are. */
export const CaptureSchema = MapOf(CaptureRuleSchema, {
  minProperties: 1,
  maxProperties: LIMITS.maxCaptures,
  description:
    'Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`.',
  examples: [{ offers: { url: '**/api/offers*', wait: 1 } }],
});
export type Capture = Static<typeof CaptureSchema>;

const CapturedResponseSchema = Type.Object(
  {
    url: Type.String({
      description:
        'URL of the response, after redirects. Values of parameters whose name suggests a credential are `[redacted]`.',
    }),
    method: Type.String({ description: 'Method of the request.' }),
    status: Type.Integer({
      description: 'Status as the page sees it: 200 for one that the cache has answered after a 304.',
    }),
    contentType: Type.String({ description: 'As the response names it; empty if it does not.' }),
    json: Type.Optional(Type.Unknown({ description: 'The body, if it is JSON.' })),
    text: Type.Optional(Type.String({ description: 'The body, if it is another text.' })),
    base64: Type.Optional(Type.String({ contentEncoding: 'base64', description: 'Any other body.' })),
    truncated: Type.Optional(
      Type.Boolean({
        description:
          'True if the body is not whole, or missing: it was too large, or had not ended when the page was read.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Captured responses, by the names of the request. */
export const CapturedSchema = MapOf(Type.Array(CapturedResponseSchema), {
  description: 'Responses of `capture`, by its names, in the order in which their requests were made.',
});
