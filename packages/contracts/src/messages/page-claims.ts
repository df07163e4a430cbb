import type { Static } from 'typebox';
import { Type } from '../type.ts';

/**
 * Exchange between scrapers about page messages that were delivered more than once. A claim names one message: the
 * page, its attempt and the engine; only scrapers read it. A scraper that has just started also asks which jobs have been
 * cancelled, since it may get pages that were sent before; orchestrators answer.
 */
export const PageClaimsSchema = Type.Object(
  {
    /** Claims of messages whose former worker is looked for. */
    asked: Type.Array(Type.String()),
    /** Claims in work or just finished at the sender, which is alive. */
    held: Type.Array(Type.String()),
    /** Jobs about which the sender asks. */
    jobs: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    /** Answered jobs: the open ones and the finished ones. */
    going: Type.Optional(Type.Array(Type.String())),
    over: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
export type PageClaims = Static<typeof PageClaimsSchema>;
