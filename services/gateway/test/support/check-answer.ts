import {
  type Check,
  compileSchema,
  ERROR_TABLE,
  ErrorEnvelopeSchema,
  ROUTES,
  type RouteDefinition,
  type RouteName,
} from '@gleaner/contracts';
import { buildOpenApi } from '@gleaner/contracts/openapi';
import { expect } from '@jest/globals';

/** Response to a request, as the test saw it. */
export interface SeenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json: unknown;
}

interface CheckedRoute {
  readonly name: RouteName;
  readonly definition: RouteDefinition;
  readonly pattern: RegExp;
  readonly checkResponse: Check<unknown>;
}

const checkEnvelope = compileSchema(ErrorEnvelopeSchema);
const openApi = JSON.parse(JSON.stringify(buildOpenApi({ version: '0.0.0', serverUrl: '/' })));

const CHECKED_ROUTES: readonly CheckedRoute[] = Object.entries<RouteDefinition>(ROUTES).map(
  ([name, definition]) => ({
    name: name as RouteName,
    definition,
    pattern: new RegExp(`^${definition.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    checkResponse: definition.response
      ? compileSchema(definition.response)
      : () => ({ ok: true, value: undefined }),
  }),
);

/** Routes that a test of this file has seen succeed. */
export const routesSeenToSucceed = new Set<RouteName>();

/** Fails unless a response fits the contract: headers, status, schema, declared errors. */
export function checkAnswer(answer: SeenAnswer): void {
  const { method, path, status, headers, json } = answer;
  expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
  expect(headers).not.toHaveProperty('x-powered-by');
  const route = CHECKED_ROUTES.find(
    ({ pattern, definition }) => pattern.test(path) && definition.method === method.toLowerCase(),
  );
  if (route) checkRateLimitHeaders(answer);
  if (status >= 400 && method !== 'HEAD') checkFailure(answer, route);
  else if (route && status < 400) {
    const { status: usual, otherStatus } = route.definition;
    expect([route.name, status]).toEqual([route.name, status === otherStatus?.status ? status : usual]);
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    const isOther = route.definition.mediaTypes !== undefined && type in route.definition.mediaTypes;
    if (!isOther)
      expect([route.name, route.checkResponse(json)]).toEqual([route.name, { ok: true, value: json }]);
    routesSeenToSucceed.add(route.name);
  }
}

function checkRateLimitHeaders({ status, headers, json }: SeenAnswer): void {
  const isBeforeTheLimit = status === 401 || status === 503 || JSON.stringify(json)?.includes('Host header');
  if (isBeforeTheLimit) return;
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expect([name, headers[name]]).toEqual([name, expect.stringMatching(/^\d+$/)]);
  }
  const { 'ratelimit-limit': limit, 'ratelimit-remaining': left, 'ratelimit-reset': reset } = headers;
  const [, kind, window] = /^"([a-z]+)";q=\d+;w=([1-9]\d*)$/.exec(headers['ratelimit-policy'] ?? '') ?? [];
  expect(headers['ratelimit-policy']).toBe(`"${kind}";q=${limit};w=${window}`);
  expect(headers.ratelimit).toBe(`"${kind}";r=${left};t=${reset}`);
}

function checkFailure({ status, headers, json }: SeenAnswer, route: CheckedRoute | undefined): void {
  const checked = checkEnvelope(json);
  if (!checked.ok)
    throw new Error(`Not an error envelope: ${JSON.stringify(json)} ${JSON.stringify(checked.details)}`);
  const { code, requestId, message, suggestion } = checked.value.error;
  expect([code, status]).toEqual([code, ERROR_TABLE[code].httpStatus]);
  expect(requestId).toBe(headers['x-request-id']);
  expect(message.length * suggestion.length).toBeGreaterThan(0);
  if (status === 401) expect(headers['www-authenticate']).toBe('Bearer');
  if (status === 405) expect(headers.allow).toContain('OPTIONS');
  // What is not set up will not be so a while later.
  const mayPass = status === 503 && code !== 'NOT_CONFIGURED';
  if (status === 429 || mayPass) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  if (route) expect(declaredErrors(route, status)).toContain(code);
}

function declaredErrors({ definition: { path, method } }: CheckedRoute, status: number): string[] {
  return Object.keys(
    openApi.paths[path][method].responses[status]?.content['application/json'].examples ?? {},
  );
}
