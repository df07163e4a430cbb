import { type Static, Type } from 'typebox';

/**
 * Exchange between scrapers about page messages that were delivered more than once. A claim names one message: the
 * page, its attempt and the engine; only scrapers read it.
 */
export const PageClaimsSchema = Type.Object(
  {
    /** Claims of messages whose former worker is looked for. */
    asked: Type.Array(Type.String()),
    /** Claims that the sender, which is alive, works on or has just finished. */
    held: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type PageClaims = Static<typeof PageClaimsSchema>;
