import type { Static } from 'typebox';
import { ERROR_CODES } from '../errors/error-table.ts';
import { LIMITS } from '../limits.ts';
import { Name, Nullable, OneOf, Timestamp } from '../map-of.ts';
import { ActionsSchema } from '../scrape/actions.ts';
import { Type } from '../type.ts';
import { StorageStateSchema } from './storage-state.ts';

/** The states of a profile. Only `ready` ones are used; `signing-in` ones are waited for. */
export const PROFILE_STATES = ['ready', 'signing-in', 'failed', 'expired'] as const;
export type ProfileState = (typeof PROFILE_STATES)[number];

/** Sign of a page that is signed in. */
export type ProfileCheck =
  | { readonly present: string }
  | { readonly absent: string }
  | { readonly url: string };

const checkOf = (name: string, description: string, examples: readonly string[], maxLength: number) =>
  Type.Object(
    { [name]: Type.String({ minLength: 1, maxLength, description, examples: [...examples] }) },
    { additionalProperties: false },
  );

export const ProfileCheckSchema = Type.Unsafe<ProfileCheck>({
  description:
    'Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`).',
  'x-expected':
    'an object such as {"present": ".account"}, {"absent": "form.login"} or {"url": "/account/**"}',
  anyOf: [
    checkOf(
      'present',
      'A CSS selector that matches something on every page.',
      ['.account'],
      LIMITS.maxPartSelectorLength,
    ),
    checkOf(
      'absent',
      'A CSS selector that matches nothing on any page.',
      ['form.login'],
      LIMITS.maxPartSelectorLength,
    ),
    checkOf(
      'url',
      'A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches.',
      ['/account/**'],
      LIMITS.maxUrlPatternLength,
    ),
  ],
});

/** Way to sign in. */
const LoginSchema = Type.Object(
  {
    url: Type.String({
      maxLength: LIMITS.maxUrlLength,
      description: 'The page with the form.',
      examples: ['https://shop.example/login'],
    }),
    actions: Type.Optional(ActionsSchema),
    check: ProfileCheckSchema,
  },
  {
    additionalProperties: false,
    description:
      'How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`.',
  },
);
export type ProfileLogin = Static<typeof LoginSchema>;

const SETTINGS = {
  login: LoginSchema,
  proxy: Type.String({
    pattern: '^[a-z]{2,3}$',
    description: 'Country of the proxy that carries the login and every page.',
    examples: ['us'],
    'x-expected': 'a lower-case country code such as "us"',
  }),
  ttl: Type.Integer({
    minimum: 60_000,
    maximum: 365 * 86_400_000,
    description:
      'Milliseconds after which a session counts as expired although no check has failed. Default: never.',
  }),
};

/** The body of `POST /v1/profiles`. */
export const CreateProfileRequestSchema = Type.Object(
  {
    name: Name({ description: 'Unique in the account.' }),
    login: Type.Optional(SETTINGS.login),
    storageState: Type.Optional(StorageStateSchema),
    proxy: Type.Optional(SETTINGS.proxy),
    ttl: Type.Optional(SETTINGS.ttl),
  },
  { additionalProperties: false },
);

/** The body of `PATCH /v1/profiles/{id}`. */
export const ProfilePatchSchema = Type.Object(
  {
    name: Type.Optional(Name()),
    login: Type.Optional(Nullable(SETTINGS.login)),
    storageState: Type.Optional(StorageStateSchema),
    proxy: Type.Optional(Nullable(SETTINGS.proxy)),
    ttl: Type.Optional(Nullable(SETTINGS.ttl)),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** A profile as the API shows it: without its state, and without texts that its steps write. */
export const ProfileSchema = Type.Object(
  {
    id: Type.String({ examples: ['prof_01jd8x0000000000000000000'] }),
    name: Type.String(),
    status: OneOf(PROFILE_STATES, {
      description:
        '`ready`: signed in. `signing-in`: a login is under way, and pages wait for it. `failed`: the login failed, and is not tried again by itself. `expired`: signed out.',
    }),
    login: Type.Optional(LoginSchema),
    proxy: Nullable(Type.String()),
    ttl: Nullable(Type.Integer()),
    signedInAt: Nullable(Timestamp(), { description: 'Start of the present session, or of the last one.' }),
    expiresAt: Nullable(Timestamp(), { description: 'End of the session by `ttl`.' }),
    lastError: Type.Optional(
      Type.Object(
        {
          code: OneOf(ERROR_CODES),
          message: Type.String(),
        },
        { additionalProperties: false, description: 'Error of the last login.' },
      ),
    ),
    logins: Type.Integer({
      description: 'Number of sessions so far: logins, and states that were uploaded.',
    }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { additionalProperties: false },
);
export type Profile = Static<typeof ProfileSchema>;

/** Returns what the actions of a login are encrypted for: they open for no other profile. */
export function purposeOfLogin(accountId: string, profileId: string): string {
  return ['profile-login', accountId, profileId].join('\n');
}

/** Returns what the state of a profile is encrypted for: it opens for no other profile. */
export function purposeOfState(accountId: string, profileId: string): string {
  return ['profile-state', accountId, profileId].join('\n');
}
