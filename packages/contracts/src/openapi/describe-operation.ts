import type { TSchema } from 'typebox';
import { LIMITS } from '../limits.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { describeErrors } from './describe-errors.ts';
import { referToHeaders } from './headers.ts';
import { type JsonObject, referToComponents } from './refer-to-components.ts';

/** One route as an OpenAPI operation. */
export function describeOperation(name: string, route: RouteDefinition): JsonObject {
  const { summary, description, tag, scope, body } = route;
  return {
    operationId: name,
    summary,
    ...(description && { description }),
    tags: [tag],
    security: [{ apiKey: [scope] }],
    parameters: [
      ...pathParameters(route.path),
      ...parametersIn('query', route.query),
      ...parametersIn('header', route.headers),
    ],
    ...(body && { requestBody: requestBody(body, route.maxBodyBytes ?? LIMITS.maxBodyBytes) }),
    responses: {
      [route.status]: success(route),
      ...(route.responseHeaders?.includes('ETag') && { 304: NOT_MODIFIED }),
      ...describeErrors(route),
    },
  };
}

const NOT_MODIFIED: JsonObject = {
  description: 'It is still what If-None-Match names.',
  headers: referToHeaders(['X-Request-Id', 'ETag']),
};

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parametersIn(place: 'query' | 'header', parameters: TSchema | undefined): JsonObject[] {
  if (!parameters || !('properties' in parameters)) return [];
  const required = new Set('required' in parameters ? (parameters.required as string[]) : []);
  return Object.entries(parameters.properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = schema as TSchema & { description?: string };
    const isRequired = required.has(name);
    return { name, in: place, required: isRequired, description, schema: referToComponents(rest) };
  });
}

function requestBody(body: TSchema, maxBytes: number): JsonObject {
  const content = { 'application/json': { schema: referToComponents(body) } };
  return { required: true, description: `At most ${maxBytes} bytes.`, content };
}

function success({ summary, response, mediaTypes = {}, responseHeaders = [] }: RouteDefinition): JsonObject {
  const headers = referToHeaders([
    'X-Request-Id',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    ...responseHeaders,
  ]);
  const texts = Object.entries(mediaTypes).map(([type, description]) => [
    type,
    { schema: { type: 'string', description, ...(!isText(type) && { contentMediaType: type }) } },
  ]);
  const content = {
    ...(response && { 'application/json': { schema: referToComponents(response) } }),
    ...Object.fromEntries(texts),
  };
  return { description: summary, headers, ...(Object.keys(content).length > 0 && { content }) };
}

function isText(mediaType: string): boolean {
  return !mediaType.startsWith('image/');
}
