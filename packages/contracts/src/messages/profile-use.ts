import type { Static } from 'typebox';
import { ProfileCheckSchema } from '../profiles/profile.ts';
import { Type } from '../type.ts';

/** A profile on its way to the scraper of a page or a login, which alone decrypts it. */
export const ProfileUseSchema = Type.Object(
  {
    id: Type.String(),
    /** Number of the session that the state belongs to. */
    session: Type.Integer({ minimum: 0 }),
    /** Revision of the state. */
    revision: Type.Integer({ minimum: 0 }),
    /** Encrypted; missing where there is none yet. */
    state: Type.Optional(Type.String()),
    check: Type.Optional(ProfileCheckSchema),
    /** The state that the page leaves is wanted. */
    isSaved: Type.Boolean(),
    /** Encrypted steps that sign in; the page is a login then, and begins without a state. */
    actions: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type ProfileUse = Static<typeof ProfileUseSchema>;

/** State that a page has left, encrypted, and the revision that it follows. */
export const LeftStateSchema = Type.Object(
  { revision: Type.Integer({ minimum: 0 }), state: Type.String() },
  { additionalProperties: false },
);
export type LeftState = Static<typeof LeftStateSchema>;
