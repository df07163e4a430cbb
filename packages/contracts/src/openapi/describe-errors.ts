import { AppError } from '../errors/app-error.ts';
import { toErrorEnvelope } from '../errors/error-envelope.ts';
import { ERROR_CODES, ERROR_TABLE, type ErrorCode } from '../errors/error-table.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { COUNTED_HEADERS, type HeaderName, referToHeaders } from './headers.ts';
import type { JsonObject } from './refer-to-components.ts';

/** Describes the errors of a route by HTTP status: its own, and those of every route. */
export function describeErrors(route: RouteDefinition): JsonObject {
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERROR_TABLE[code].httpStatus);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, failure(status, codes)]));
}

/** Returns every error of a route, in the order of the error table. */
export function errorsOf(route: RouteDefinition): ErrorCode[] {
  const met = new Set([...route.errors, ...ERRORS_OF_ANY_ROUTE, ...(route.body ? ERRORS_OF_ANY_BODY : [])]);
  return ERROR_CODES.filter((code) => met.has(code));
}

const ERRORS_OF_ANY_ROUTE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

const ERRORS_OF_ANY_BODY: readonly ErrorCode[] = [
  'INVALID_JSON',
  'TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

function failure(status: number, codes: readonly ErrorCode[]): JsonObject {
  const examples = codes.map((code) => [code, { summary: code, value: example(code) }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].when}`).join('\n\n'),
    headers: referToHeaders(headersOf(status)),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function headersOf(status: number): HeaderName[] {
  if (status === 401) return ['X-Request-Id', 'WWW-Authenticate'];
  const always: HeaderName[] = ['X-Request-Id', ...COUNTED_HEADERS];
  return status === 429 || status === 503 ? [...always, 'Retry-After'] : always;
}

function example(code: ErrorCode): JsonObject {
  return { ...toErrorEnvelope(new AppError(code), 'req_01jd8x0000000000000000000') };
}
