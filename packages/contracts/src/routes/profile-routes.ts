import { CreateProfileRequestSchema, ProfilePatchSchema, ProfileSchema } from '../profiles/profile.ts';
import { StorageStateSchema } from '../profiles/storage-state.ts';
import { Type } from '../type.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

const ProfileResponse = succeeded({ profile: ProfileSchema });

/** Routes of profiles: sessions that are signed in once and used by many pages. */
export const PROFILE_ROUTES = {
  createProfile: {
    method: 'post',
    path: '/v1/profiles',
    summary: 'Create a profile',
    description:
      'A profile is a session at a site. It begins with `storageState`, or with a login by the `actions` of `login`; without either, it waits for a state.',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'create',
    body: CreateProfileRequestSchema,
    bodyExample: {
      name: 'shop',
      login: { url: 'https://example.com/login', check: { absent: 'form.login' } },
      storageState: {
        cookies: [{ name: 'session', value: 'a1b2c3', domain: 'example.com', path: '/' }],
        origins: [],
      },
    },
    status: 201,
    response: ProfileResponse,
    responseHeaders: ['Location'],
    errors: ['INVALID_URL', 'INVALID_SELECTOR'],
  },
  listProfiles: {
    method: 'get',
    path: '/v1/profiles',
    summary: 'List the profiles of the account, newest first',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'read',
    query: Type.Object(PAGE_QUERY_PROPERTIES, { additionalProperties: false }),
    status: 200,
    response: paginated('profiles', ProfileSchema),
    errors: [],
  },
  getProfile: {
    method: 'get',
    path: '/v1/profiles/{id}',
    summary: 'Get a profile',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'read',
    status: 200,
    response: ProfileResponse,
    errors: ['PROFILE_NOT_FOUND'],
  },
  updateProfile: {
    method: 'patch',
    path: '/v1/profiles/{id}',
    summary: 'Change a profile, or upload a new state',
    description:
      'Another `proxy` ends the session, because it belongs to the address that signed in. `null` removes a setting.',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'create',
    body: ProfilePatchSchema,
    bodyExample: { ttl: 86_400_000 },
    status: 200,
    response: ProfileResponse,
    errors: ['INVALID_URL', 'INVALID_SELECTOR', 'PROFILE_NOT_FOUND'],
  },
  loginProfile: {
    method: 'post',
    path: '/v1/profiles/{id}/login',
    summary: 'Sign in again',
    description:
      'Begins a login, unless one is under way; `status` tells when it is done. A login costs what its page costs.',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'create',
    status: 202,
    response: ProfileResponse,
    errors: ['PROFILE_NOT_FOUND'],
  },
  getProfileState: {
    method: 'get',
    path: '/v1/profiles/{id}/state',
    summary: 'Get the state of a profile as Playwright’s storageState',
    description: 'A program that has it is signed in.',
    tag: 'Profiles',
    scope: 'admin',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ storageState: StorageStateSchema }),
    errors: ['PROFILE_NOT_FOUND'],
  },
  deleteProfile: {
    method: 'delete',
    path: '/v1/profiles/{id}',
    summary: 'Delete a profile with its state',
    description: 'Pages in flight may finish; later ones fail with PROFILE_NOT_FOUND.',
    tag: 'Profiles',
    scope: 'profiles',
    rateLimit: 'create',
    status: 204,
    errors: ['PROFILE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
