import { referToHeaders } from './headers.ts';
import type { JsonObject } from './refer-to-components.ts';

/** Tag of the health probes. */
export const PROBE_TAG = 'Health';

/** The health probes, which need no API key; `packages/service-kit` and the gateway serve them. */
export const PROBE_PATHS: JsonObject = {
  '/livez': {
    get: {
      ...operation('getLiveness', 'Check that the process answers'),
      responses: { 200: status('The process answers.', 'alive') },
    },
  },
  '/readyz': {
    get: {
      ...operation('getReadiness', 'Check that the broker and the database can be used'),
      responses: {
        200: status('The service can do its work.', 'ready'),
        503: {
          description: '`SERVICE_UNAVAILABLE`: the broker or the database cannot be used at the moment.',
          headers: referToHeaders(['X-Request-Id', 'Retry-After']),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  },
};

function operation(operationId: string, summary: string): JsonObject {
  return { operationId, summary, tags: [PROBE_TAG], security: [] };
}

function status(description: string, value: string): JsonObject {
  const schema = {
    type: 'object',
    properties: { success: { const: true }, status: { const: value } },
    required: ['success', 'status'],
    additionalProperties: false,
  };
  return {
    description,
    headers: referToHeaders(['X-Request-Id']),
    content: { 'application/json': { schema } },
  };
}
