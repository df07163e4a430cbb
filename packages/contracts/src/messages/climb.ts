import { type Static, Type } from 'typebox';
import { OneOf } from '../schema/map-of.ts';
import { AttemptSchema } from '../scrape/scrape-response.ts';

/** The ways of asking for a page that antiBot climbs, cheapest first. */
export const RUNG_NAMES = ['plain', 'chrome', 'browser', 'disguised', 'next-proxy'] as const;
export type RungName = (typeof RUNG_NAMES)[number];

/** How far a request with antiBot has come when one engine passes it on to the other. */
export const ClimbSchema = Type.Object(
  {
    /** The rung to go on with; those below it were tried, or are known to lead nowhere. */
    rung: OneOf(RUNG_NAMES),
    /** What was tried so far. */
    attempts: Type.Array(AttemptSchema),
  },
  { additionalProperties: false },
);
export type Climb = Static<typeof ClimbSchema>;
