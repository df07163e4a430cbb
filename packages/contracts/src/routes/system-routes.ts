import { SystemSchema } from '../system/system.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Route of the state of the service. */
export const SYSTEM_ROUTES = {
  getSystem: {
    method: 'get',
    path: '/v1/system',
    summary: 'Show the processes and the queues of the service',
    tag: 'System',
    scope: 'admin',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ system: SystemSchema }),
    description:
      'Which processes take each kind of work, the queues, every process with its version and its browsers, and the hosts that are paused.',
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
