import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { TracedAttemptSchema } from '../scrape/attempt.ts';
import { Type } from '../type.ts';

/** The rungs of the anti-bot ladder, cheapest first. */
export const RUNG_NAMES = ['plain', 'chrome', 'browser', 'disguised', 'next-proxy'] as const;
export type RungName = (typeof RUNG_NAMES)[number];

/** Progress of a request on the ladder, when one engine forwards it to the other. */
export const ClimbSchema = Type.Object(
  {
    /** The next rung; the rungs below it were tried, or are known to fail for this host. */
    rung: OneOf(RUNG_NAMES),
    /** Attempts so far, oldest first. */
    attempts: Type.Array(TracedAttemptSchema),
  },
  { additionalProperties: false },
);
export type Climb = Static<typeof ClimbSchema>;
