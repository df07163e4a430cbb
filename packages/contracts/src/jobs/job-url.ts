import type { Static } from 'typebox';
import { CRAWLED_PROPERTIES, DROP_REASONS, SKIP_REASONS } from '../crawl/crawl-progress.ts';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf } from '../map-of.ts';
import { PAGE_KINDS } from '../scrape/verdict.ts';
import { Type } from '../type.ts';
import { ShownRequestSchema } from './shown-options.ts';

/** States of one URL of a job. */
export const URL_STATES = ['waiting', 'running', 'completed', 'failed', 'skipped', 'cancelled'] as const;
export type UrlState = (typeof URL_STATES)[number];

/** One URL of a job, with its state. */
export const JobUrlSchema = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Position in `urls` of the request, or in the order in which a crawl found the URL.',
      }),
    ),
    url: Type.String({ description: 'As given in the request, or as a crawl found it.' }),
    request: ShownRequestSchema,
    state: OneOf([...URL_STATES, 'unknown'], {
      description:
        '`waiting` to be sent to a scraper, for the first time or for another attempt; `running` on one; `skipped` by a crawl, without a result. `unknown` is a URL that was asked for with `url` and is not a page of the crawl.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    duplicateOf: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Index of the earlier entry with the same URL, which is fetched for both.',
      }),
    ),
    depth: CRAWLED_PROPERTIES.depth,
    foundOn: CRAWLED_PROPERTIES.foundOn,
    rule: CRAWLED_PROPERTIES.rule,
    verdict: Type.Optional(
      OneOf(PAGE_KINDS, {
        description:
          'Kind of page that the result comes from; absent without a result, and of older versions.',
      }),
    ),
    change: CRAWLED_PROPERTIES.change,
    unlinked: CRAWLED_PROPERTIES.unlinked,
    skipped: Type.Optional(OneOf(SKIP_REASONS, { description: 'Reason why a page of a crawl was skipped.' })),
    dropped: Type.Optional(
      OneOf(DROP_REASONS, { description: 'Reason why the crawl does not follow links to an unknown URL.' }),
    ),
    message: Type.Optional(Type.String({ description: 'Explains why a URL is unknown or was skipped.' })),
    error: Type.Optional(FailureSchema),
  },
  {
    additionalProperties: false,
    description:
      'A failed URL has its `error`; a URL that waits for another attempt has the one of its last attempt.',
  },
);
export type JobUrl = Static<typeof JobUrlSchema>;
