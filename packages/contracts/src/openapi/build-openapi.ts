import type { RouteDefinition } from '../routes/route.ts';
import { ROUTES } from '../routes/route-table.ts';
import { COMPONENTS } from '../schema/components.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks, EVENTS_TAG } from './describe-webhooks.ts';
import { HEADERS } from './headers.ts';
import { PROBE_PATHS, PROBE_TAG } from './probe-paths.ts';
import { type JsonObject, referToComponents } from './refer-to-components.ts';

/** Version and addresses that the document shows. */
export interface OpenApiOptions {
  /** The version of the service. */
  readonly version: string;
  /** Address for callers, such as `https://gleaner.example.com`; `/` means the server of the document. */
  readonly serverUrl: string;
  /** Page that the bodies of the examples name; by default https://example.com/. */
  readonly exampleUrl?: string;
}

/** Builds the OpenAPI 3.1 document of the REST interface from the route, schema and error tables. */
export function buildOpenApi({ version, serverUrl, exampleUrl }: OpenApiOptions): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Gleaner', version, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: serverUrl }],
    tags: tags(),
    paths: { ...paths(exampleUrl), ...PROBE_PATHS },
    webhooks: describeWebhooks(),
    components: {
      schemas: namedSchemas(),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `gl_…`.' },
        feedToken: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'The token of the feeds of a schedule, `glf_…`.',
        },
      },
    },
  };
}

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const DESCRIPTION = `Give it a URL and CSS selectors, get the data.

Every answer is JSON: \`success: true\` and the named payload, or \`success: false\` and an \`error\` with a stable
\`code\`, a \`message\`, a \`suggestion\`, and a \`source\` that says whether this service or the target page failed.
Durations are integers in milliseconds, timestamps ISO 8601 in UTC. Unknown fields and query parameters are refused.
A body sent with GET or DELETE is ignored.`;

function tags(): JsonObject[] {
  const names = new Set<string>(Object.values(ROUTES).map((route) => route.tag));
  return [...names, PROBE_TAG, EVENTS_TAG].map((name) => ({ name }));
}

function paths(exampleUrl: string | undefined): JsonObject {
  const byPath: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<RouteDefinition>(ROUTES)) {
    byPath[route.path] = {
      ...byPath[route.path],
      [route.method]: describeOperation(name, route, exampleUrl),
    };
  }
  return byPath;
}

/** Returns the named schemas; where one contains another, it refers to it. */
function namedSchemas(): JsonObject {
  const entries = Object.entries(COMPONENTS).map(([name, schema]) => {
    const parts = Object.entries(schema).map(([keyword, part]) => [keyword, referToComponents(part)]);
    return [name, Object.fromEntries(parts.filter(([keyword]) => keyword !== 'x-expected'))];
  });
  return Object.fromEntries(entries);
}
