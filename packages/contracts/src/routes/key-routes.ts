import { Type } from 'typebox';
import { CreateKeyRequestSchema, KeySchema, NewKeySchema } from '../keys/keys.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** API keys: made, listed and revoked by an admin key. */
export const KEY_ROUTES = {
  createKey: {
    method: 'post',
    path: '/v1/keys',
    summary: 'Create an API key',
    description: 'The key itself is in this answer alone; only its hash is kept.',
    tag: 'Keys',
    scope: 'admin',
    rateLimit: 'create',
    body: CreateKeyRequestSchema,
    status: 201,
    response: succeeded({ key: NewKeySchema }),
    errors: [],
  },
  listKeys: {
    method: 'get',
    path: '/v1/keys',
    summary: 'List the API keys of the account',
    tag: 'Keys',
    scope: 'admin',
    rateLimit: 'read',
    query: Type.Object(PAGE_QUERY_PROPERTIES, { additionalProperties: false }),
    status: 200,
    response: paginated('keys', KeySchema),
    errors: [],
  },
  revokeKey: {
    method: 'delete',
    path: '/v1/keys/{id}',
    summary: 'Revoke an API key',
    description: 'Works within 5 seconds everywhere. Revoking a revoked key answers the same.',
    tag: 'Keys',
    scope: 'admin',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ key: KeySchema }),
    errors: ['KEY_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
