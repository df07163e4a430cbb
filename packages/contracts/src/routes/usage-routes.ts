import { UsageQuerySchema, UsageSchema } from '../usage/usage.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Route of the credits of an account. */
export const USAGE_ROUTES = {
  getUsage: {
    method: 'get',
    path: '/v1/usage',
    summary: 'Get the credits used and left, by day and by operation',
    tag: 'Usage',
    scope: 'usage',
    rateLimit: 'read',
    query: UsageQuerySchema,
    status: 200,
    response: succeeded({ usage: UsageSchema }),
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
