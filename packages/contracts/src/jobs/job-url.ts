import { type Static, Type } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf } from '../map-of.ts';

/** States of one URL of a job. */
export const URL_STATES = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type UrlState = (typeof URL_STATES)[number];

/** One URL of a job, with its state. */
export const JobUrlSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position in `urls` of the request.' }),
    url: Type.String({ description: 'As given in the request.' }),
    state: OneOf(URL_STATES, {
      description:
        '`waiting` to be sent to a scraper, for the first time or for another attempt; `running` on one.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    duplicateOf: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Index of the earlier entry with the same URL, which is fetched for both.',
      }),
    ),
    error: Type.Optional(FailureSchema),
  },
  {
    additionalProperties: false,
    description:
      'A failed URL has its `error`; a URL that waits for another attempt has the one of its last attempt.',
  },
);
export type JobUrl = Static<typeof JobUrlSchema>;
