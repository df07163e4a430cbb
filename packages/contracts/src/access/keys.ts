import type { Static } from 'typebox';
import { Name, Nullable, OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** Permissions of a key; `admin` manages keys. */
export const SCOPES = ['scrape', 'jobs', 'schedules', 'profiles', 'webhooks', 'usage', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const SOME_OF_THEM = { uniqueItems: true, minItems: 1, maxItems: SCOPES.length };
const Scopes = Type.Array(OneOf(SCOPES), SOME_OF_THEM);

/** The body of `POST /v1/keys`. */
export const CreateKeyRequestSchema = Type.Object(
  {
    name: Type.Optional(Name({ description: 'Default "Unnamed key".' })),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPES), { ...SOME_OF_THEM, description: 'Default: all but admin.' }),
    ),
    expiresAt: Type.Optional(
      Timestamp({ description: 'Time in the future at which the key expires. Default never.' }),
    ),
  },
  { additionalProperties: false },
);

const KEY_PROPERTIES = {
  id: Type.String({ examples: ['key_01jd8x0000000000000000000'] }),
  name: Type.String(),
  prefix: Type.String({ description: 'Beginning of the key, to tell keys apart.' }),
  scopes: Scopes,
  createdAt: Timestamp(),
  expiresAt: Nullable(Timestamp()),
  revokedAt: Nullable(Timestamp()),
  lastUsedAt: Nullable(Timestamp(), {
    description: 'Time of the latest request with the key, or with a session of it; some seconds late.',
  }),
};

/** An API key as listed, without the key itself. */
export const KeySchema = Type.Object(KEY_PROPERTIES, { additionalProperties: false });
export type Key = Static<typeof KeySchema>;

/** A new key; `key` is shown only in this response. */
export const NewKeySchema = Type.Object(
  { ...KEY_PROPERTIES, key: Type.String({ description: 'The key itself; shown once.', examples: ['gl_…'] }) },
  { additionalProperties: false },
);
