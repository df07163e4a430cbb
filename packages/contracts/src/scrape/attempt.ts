import { type Static, Type } from 'typebox';
import { OneOf } from '../map-of.ts';

/** One attempt at a page: its engine, its proxy, its outcome and its duration. */
export const AttemptSchema = Type.Object(
  {
    engine: OneOf(['http', 'browser']),
    proxy: Type.Optional(
      Type.String({
        description: 'The proxy, by its country and its place in the pool.',
        examples: ['us-2'],
      }),
    ),
    statusCode: Type.Optional(Type.Integer()),
    outcome: Type.String({ description: '`success`, or the error code that ended the attempt.' }),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type Attempt = Static<typeof AttemptSchema>;
