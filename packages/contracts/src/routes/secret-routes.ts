import { PutSecretRequestSchema, SecretSchema } from '../access/secret.ts';
import { Type } from '../type.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of secrets, which steps of `actions` write into fields: `{"fill": "#password", "value": {"secret": "shop-password"}}`. */
export const SECRET_ROUTES = {
  putSecret: {
    method: 'put',
    path: '/v1/secrets/{name}',
    summary: 'Store a secret, or replace its value',
    description:
      'Steps of `actions` name it: `{"fill": "#password", "value": {"secret": "shop-password"}}`. It is stored encrypted, and no response has its value.',
    tag: 'Secrets',
    scope: 'admin',
    rateLimit: 'create',
    body: PutSecretRequestSchema,
    bodyExample: { value: 'correct horse', origins: ['https://example.com'] },
    status: 200,
    response: succeeded({ secret: SecretSchema }),
    errors: [],
  },
  listSecrets: {
    method: 'get',
    path: '/v1/secrets',
    summary: 'List the secrets of the account, without their values',
    tag: 'Secrets',
    scope: 'admin',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ secrets: Type.Array(SecretSchema) }),
    errors: [],
  },
  deleteSecret: {
    method: 'delete',
    path: '/v1/secrets/{name}',
    summary: 'Delete a secret',
    description: 'Pages that are in flight may still use it.',
    tag: 'Secrets',
    scope: 'admin',
    rateLimit: 'create',
    status: 204,
    errors: ['SECRET_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
