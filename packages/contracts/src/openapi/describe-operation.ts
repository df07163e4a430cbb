import type { TSchema } from 'typebox';
import { LIMITS } from '../limits.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { describeErrors } from './describe-errors.ts';
import { COUNTED_HEADERS, referToHeaders } from './headers.ts';
import { type JsonObject, referToComponents } from './refer-to-components.ts';

/** The page that the examples of routes name. */
const EXAMPLE_URL = 'https://example.com/';

/** Describes a route as an OpenAPI operation, with an example about the page at `exampleUrl`. */
export function describeOperation(
  name: string,
  route: RouteDefinition,
  exampleUrl = EXAMPLE_URL,
): JsonObject {
  const { summary, description, tag, scope, opensWithToken, body } = route;
  return {
    operationId: name,
    summary,
    ...(description && { description }),
    tags: [tag],
    security: [{ apiKey: scope === 'any' ? [] : [scope] }, ...(opensWithToken ? [{ feedToken: [] }] : [])],
    parameters: [
      ...pathParameters(route.path),
      ...parametersIn('query', route.query),
      ...parametersIn('header', route.headers),
    ],
    ...(body && { requestBody: requestBody(route, body, exampleUrl) }),
    responses: {
      [route.status]: success(route),
      ...otherSuccess(route),
      ...(route.responseHeaders?.includes('ETag') && { 304: NOT_MODIFIED }),
      ...(isEventStream(route) && { 204: NOTHING_NEW }),
      ...describeErrors(route),
    },
  };
}

const NOT_MODIFIED: JsonObject = {
  description: 'Unchanged since the response that If-None-Match names.',
  headers: referToHeaders(['X-Request-Id', 'ETag']),
};

function isEventStream({ mediaTypes = {} }: RouteDefinition): boolean {
  return 'text/event-stream' in mediaTypes;
}

const NOTHING_NEW: JsonObject = {
  description: 'Last-Event-ID names the last event: there are no more.',
  headers: referToHeaders(['X-Request-Id', ...COUNTED_HEADERS]),
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
    const { description, ...rest } = schema as TSchema & { type?: string; description?: string };
    const isRequired = required.has(name);
    const list = rest.type === 'array' && { style: 'form', explode: false };
    return { name, in: place, required: isRequired, description, ...list, schema: referToComponents(rest) };
  });
}

/** Swagger UI sends the example as it is; without one it makes a body up from the schema, which its check refuses. */
function requestBody(route: RouteDefinition, body: TSchema, exampleUrl: string): JsonObject {
  const { bodyExample, moreExamples, bodyIsOptional = false, maxBodyBytes } = route;
  const schema = referToComponents(body);
  const example = bodyExample && moveTo(exampleUrl, bodyExample);
  const examples = moreExamples && moveTo(exampleUrl, { default: { value: bodyExample }, ...moreExamples });
  const shown = examples ? { examples } : { ...(example && { example }) };
  const content = { 'application/json': { schema, ...shown } };
  const description = `At most ${maxBodyBytes ?? LIMITS.maxBodyBytes} bytes.`;
  return { required: !bodyIsOptional, description, content };
}

function moveTo(exampleUrl: string, example: object): object {
  return JSON.parse(JSON.stringify(example), (_key, value) =>
    typeof value === 'string' && value.startsWith(EXAMPLE_URL)
      ? new URL(value.slice(EXAMPLE_URL.length), exampleUrl).href
      : value,
  );
}

function success({ summary, response, mediaTypes = {}, responseHeaders = [] }: RouteDefinition): JsonObject {
  const headers = referToHeaders(['X-Request-Id', ...COUNTED_HEADERS, ...responseHeaders]);
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

function otherSuccess(route: RouteDefinition): JsonObject {
  if (!route.otherStatus) return {};
  const { status, description } = route.otherStatus;
  return { [status]: success({ ...route, summary: description, responseHeaders: ['Location'] }) };
}

function isText(mediaType: string): boolean {
  return !mediaType.startsWith('image/');
}
