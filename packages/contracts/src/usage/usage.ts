import type { Static } from 'typebox';
import { MapOf, Nullable, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** The query of `GET /v1/usage`: days in UTC, both included; by default the last 30. */
export const UsageQuerySchema = Type.Object(
  {
    from: Type.Optional(
      Type.Unsafe<string>({ type: 'string', format: 'date', description: 'First day, YYYY-MM-DD.' }),
    ),
    to: Type.Optional(
      Type.Unsafe<string>({ type: 'string', format: 'date', description: 'Last day, YYYY-MM-DD.' }),
    ),
  },
  { additionalProperties: false },
);
export type UsageQuery = Static<typeof UsageQuerySchema>;

const Tally = Type.Object(
  { credits: Type.Integer({ minimum: 0 }), requests: Type.Integer({ minimum: 0 }) },
  { additionalProperties: false },
);

/** Credits that an account has used and has left; `remaining` is null when credits are unlimited. */
export const UsageSchema = Type.Object(
  {
    from: Timestamp(),
    to: Timestamp(),
    used: Type.Integer({ minimum: 0, description: 'Credits charged in the period.' }),
    reserved: Type.Integer({ minimum: 0, description: 'Credits held for running requests and jobs.' }),
    remaining: Nullable(Type.Integer({ description: 'Credits left to spend; null when unlimited.' })),
    byDay: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date' }),
          credits: Type.Integer({ minimum: 0 }),
          requests: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false },
      ),
    ),
    byOperation: MapOf(Tally, {
      description:
        'Keyed by operation: scrape, map, page, and cached for pages that `maxAge` took instead of fetching them.',
    }),
  },
  { additionalProperties: false },
);
export type Usage = Static<typeof UsageSchema>;
