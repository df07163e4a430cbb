import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** The body of `POST /v1/jobs/{id}/rerun`, which may be left out. */
export const RerunJobRequestSchema = Type.Object(
  {
    only: Type.Optional(
      OneOf(['failed'], { description: '`failed`: only the URLs that failed. Default: all URLs.' }),
    ),
  },
  { additionalProperties: false },
);
export type RerunJobRequest = Static<typeof RerunJobRequestSchema>;
