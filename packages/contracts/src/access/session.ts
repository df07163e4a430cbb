import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { SCOPES } from './keys.ts';

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

/** The body of `POST /v1/session`: exactly one of the two. */
export const OpenSessionRequestSchema = Type.Object(
  {
    apiKey: Type.Optional(Secret('An API key.')),
    code: Type.Optional(Secret('A one-time code of `POST /v1/session/codes`.')),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
);
export type OpenSessionRequest = Static<typeof OpenSessionRequestSchema>;

/** A session of the console: what its key may do, and until when it lasts without use. */
export const SessionSchema = Type.Object(
  {
    accountId: Type.String(),
    keyId: Type.String(),
    name: Type.String({ description: 'Name of the key.' }),
    scopes: Type.Array(OneOf(SCOPES)),
    expiresAt: Timestamp(),
  },
  { additionalProperties: false },
);
export type Session = Static<typeof SessionSchema>;

/**
 * The body of `POST /v1/session/tickets`: an address that a browser opens by itself, and so without headers: the results of
 * a job as a file, a file that was downloaded, or the view of a snapshot.
 */
export const CreateTicketRequestSchema = Type.Object(
  {
    target: Type.String({
      maxLength: 500,
      pattern:
        '^/v1/(?:jobs/[A-Za-z0-9_-]+/results|files/[A-Za-z0-9_-]+|snapshots/[A-Za-z0-9_-]+/view)(?:\\?[^#]*)?$',
      description: 'Path and query, such as `/v1/jobs/job_…/results?format=csv`.',
    }),
  },
  { additionalProperties: false },
);
export type CreateTicketRequest = Static<typeof CreateTicketRequestSchema>;
