import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** A cookie as browsers keep it. */
export const StateCookieSchema = Type.Object(
  {
    name: Type.String({
      maxLength: 4096,
      description: 'May be empty: a cookie without a name is its value.',
    }),
    value: Type.String({ maxLength: 4096 }),
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'The host that gets the cookie; with a leading dot, its subdomains get it, too.',
    }),
    path: Type.Optional(Type.String({ pattern: '^/', maxLength: 1024, 'x-expected': 'a path such as "/"' })),
    expires: Type.Optional(
      Type.Number({ description: 'Seconds since 1970; -1 for a cookie that ends with the session.' }),
    ),
    httpOnly: Type.Optional(Type.Boolean()),
    secure: Type.Optional(Type.Boolean()),
    sameSite: Type.Optional(OneOf(['Strict', 'Lax', 'None'])),
    partitionKey: Type.Optional(
      Type.String({
        maxLength: 300,
        description:
          'Of a cookie with `Partitioned`: the site of the outermost document in which it is sent, such as "https://shop.example".',
      }),
    ),
    _crHasCrossSiteAncestor: Type.Optional(
      Type.Boolean({
        description: 'False if a document of that site itself set it, not a frame of another one.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type StateCookie = Static<typeof StateCookieSchema>;

const ItemSchema = Type.Object(
  { name: Type.String({ maxLength: 65_536 }), value: Type.String() },
  { additionalProperties: false },
);

const KEY_PATH = {
  keyPath: Type.Optional(Type.String()),
  keyPathArray: Type.Optional(Type.Array(Type.String())),
};

const RecordSchema = Type.Object(
  {
    key: Type.Optional(Type.Unknown({ description: 'Absent where the value contains it.' })),
    keyEncoded: Type.Optional(
      Type.Unknown({ description: 'Instead of `key`, one that JSON has no form for.' }),
    ),
    value: Type.Optional(Type.Unknown()),
    valueEncoded: Type.Optional(
      Type.Unknown({
        description:
          'Instead of `value`, one that JSON has no form for, as Playwright encodes it: dates, bytes, maps.',
      }),
    ),
  },
  { additionalProperties: false },
);

const IndexSchema = Type.Object(
  { name: Type.String(), ...KEY_PATH, multiEntry: Type.Boolean(), unique: Type.Boolean() },
  { additionalProperties: false },
);

const ObjectStoreSchema = Type.Object(
  {
    name: Type.String(),
    ...KEY_PATH,
    autoIncrement: Type.Boolean(),
    records: Type.Array(RecordSchema),
    indexes: Type.Array(IndexSchema),
  },
  { additionalProperties: false },
);

const DatabaseSchema = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    stores: Type.Array(ObjectStoreSchema),
  },
  { additionalProperties: false },
);
export type StateDatabase = Static<typeof DatabaseSchema>;

/** The storage of one origin. */
const StateOriginSchema = Type.Object(
  {
    origin: Type.String({
      pattern: '^https?://[^/?#@\\s]+$',
      maxLength: 300,
      'x-expected': 'an origin such as "https://shop.example"',
    }),
    localStorage: Type.Array(ItemSchema, { maxItems: 10_000 }),
    indexedDB: Type.Optional(
      Type.Array(DatabaseSchema, {
        maxItems: LIMITS.maxDatabasesPerOrigin,
        description:
          'The databases of IndexedDB, as Playwright’s `storageState({ indexedDB: true })` returns them.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type StateOrigin = Static<typeof StateOriginSchema>;

/** A session that is signed in, in the form of Playwright's `storageState`. */
export const StorageStateSchema = Type.Object(
  {
    cookies: Type.Array(StateCookieSchema, { maxItems: 1000 }),
    origins: Type.Array(StateOriginSchema, { maxItems: 100 }),
  },
  {
    additionalProperties: false,
    description:
      'A session in the form of Playwright’s `storageState`: cookies, and the `localStorage` and IndexedDB of origins. At most 256 KiB.',
    'x-expected': 'an object {cookies, origins} as Playwright’s storageState() returns it',
  },
);
export type StorageState = Static<typeof StorageStateSchema>;
