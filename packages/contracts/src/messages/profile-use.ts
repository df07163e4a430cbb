import type { Static } from 'typebox';
import { ProfileCheckSchema } from '../profiles/profile.ts';
import { Type } from '../type.ts';

const USED_STATE = {
  /** Number of the session. */
  session: Type.Integer({ minimum: 0 }),
  /** Revision of its state. */
  revision: Type.Integer({ minimum: 0 }),
};

/** The state that a page was fetched with. */
export const UsedStateSchema = Type.Object(USED_STATE, { additionalProperties: false });
export type UsedState = Static<typeof UsedStateSchema>;

/** A profile on its way to the scraper of a page or a login, which alone decrypts it. */
export const ProfileUseSchema = Type.Object(
  {
    id: Type.String(),
    ...USED_STATE,
    /** Encrypted; missing before the first login. */
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

/** State left by a page, encrypted, and the revision it follows. */
export const LeftStateSchema = Type.Object(
  { revision: Type.Integer({ minimum: 0 }), state: Type.String() },
  { additionalProperties: false },
);
export type LeftState = Static<typeof LeftStateSchema>;
