import type { RouteDefinition } from '../routes/route.ts';
import { ROUTES } from '../routes/route-table.ts';
import { COMPONENTS } from '../schema/components.ts';
import { describeOperation } from './describe-operation.ts';
import { HEADERS } from './headers.ts';
import { type JsonObject, referToComponents } from './refer-to-components.ts';

/** Where and as what the document describes the service. */
export interface OpenApiOptions {
  /** The version of the service. */
  readonly version: string;
  /** The address that callers use, such as `https://gleaner.example.com`, or `/` for where it was read. */
  readonly serverUrl: string;
}

/** The OpenAPI 3.1 document of the REST interface, made from the route, schema and error tables alone. */
export function buildOpenApi({ version, serverUrl }: OpenApiOptions): JsonObject {
  return {
    openapi: '3.1.1',
    info: { title: 'Gleaner', version, description: DESCRIPTION },
    servers: [{ url: serverUrl }],
    tags: tags(),
    paths: paths(),
    components: {
      schemas: namedSchemas(),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `gl_…`.' },
      },
    },
  };
}

const DESCRIPTION = `Give it a URL and CSS selectors, get the data.

Every answer is JSON: \`success: true\` and the named payload, or \`success: false\` and an \`error\` with a stable
\`code\`, a \`message\`, a \`suggestion\`, and a \`source\` that says whether this service or the target page failed.
Durations are integers in milliseconds, timestamps ISO 8601 in UTC. Unknown fields and query parameters are refused.
GET and DELETE take no body: one that is sent is not read.`;

function tags(): JsonObject[] {
  const names = new Set(Object.values(ROUTES).map((route) => route.tag));
  return [...names].map((name) => ({ name }));
}

function paths(): JsonObject {
  const byPath: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<RouteDefinition>(ROUTES)) {
    byPath[route.path] = { ...byPath[route.path], [route.method]: describeOperation(name, route) };
  }
  return byPath;
}

/** A component's own definition stays; what it holds of others becomes a reference. */
function namedSchemas(): JsonObject {
  const entries = Object.entries(COMPONENTS).map(([name, schema]) => {
    const parts = Object.entries(schema).map(([keyword, part]) => [keyword, referToComponents(part)]);
    return [name, Object.fromEntries(parts.filter(([keyword]) => keyword !== 'x-expected'))];
  });
  return Object.fromEntries(entries);
}
