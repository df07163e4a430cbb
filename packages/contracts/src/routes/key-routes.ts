import { CreateKeyRequestSchema, KeySchema, NewKeySchema } from '../access/keys.ts';
import { Type } from '../type.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** Routes of API keys. All but one need an admin key. */
export const KEY_ROUTES = {
  createKey: {
    method: 'post',
    path: '/v1/keys',
    summary: 'Create an API key',
    description: 'The key itself is only in this response; the service keeps its hash.',
    tag: 'Keys',
    scope: 'admin',
    rateLimit: 'create',
    body: CreateKeyRequestSchema,
    bodyExample: { name: 'Reporting', scopes: ['scrape', 'jobs'] },
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
  getCurrentKey: {
    method: 'get',
    path: '/v1/keys/current',
    summary: 'Show the API key of this request',
    description: 'Every key may ask for its own name, scopes and expiry.',
    tag: 'Keys',
    scope: 'any',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ key: KeySchema }),
    errors: [],
  },
  revokeKey: {
    method: 'delete',
    path: '/v1/keys/{id}',
    summary: 'Revoke an API key',
    description: 'Takes effect everywhere within 5 seconds. Revoking a revoked key has the same response.',
    tag: 'Keys',
    scope: 'admin',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ key: KeySchema }),
    errors: ['KEY_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
