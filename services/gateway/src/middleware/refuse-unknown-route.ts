import { AppError } from '@gleaner/contracts';
import { closest, distance } from 'fastest-levenshtein';
import type { Stage } from '../call.ts';

/** Path of a route in OpenAPI form, with its methods in upper case. */
export interface KnownPath {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Answers OPTIONS, and rejects calls that no route took: METHOD_NOT_ALLOWED with Allow, or ROUTE_NOT_FOUND with the closest path. */
export function refuseUnknownRoute(paths: readonly KnownPath[]): Stage {
  const patterns = paths.map(({ path, methods }) => ({ pattern: patternOf(path), allow: allowOf(methods) }));
  return (request, response) => {
    const known = patterns.find(({ pattern }) => pattern.test(request.path));
    if (!known) throw notFound(request.method, request.path, paths);
    response.setHeader('Allow', known.allow);
    if (request.method !== 'OPTIONS') throw notAllowed(request.method, request.path, known.allow);
    response.statusCode = 204;
    response.end();
  };
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll('.', '\\.');
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function allowOf(methods: readonly string[]): string {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...withHead, 'OPTIONS'].join(', ');
}

function notAllowed(method: string, path: string, allow: string): AppError {
  return new AppError('METHOD_NOT_ALLOWED', {
    message: `${path} does not accept ${method}; it accepts ${allow}.`,
  });
}

/** Longer paths are not typing errors; comparing them is slow. */
const MAX_COMPARED_LENGTH = 200;

function notFound(method: string, path: string, paths: readonly KnownPath[]): AppError {
  const shown = path.slice(0, MAX_COMPARED_LENGTH);
  const message = `No route matches ${method} ${shown}.`;
  const nearest = closest(
    shown,
    paths.map((known) => known.path),
  );
  const isClose = distance(shown, nearest) <= nearest.length / 3;
  const methods = paths.find((known) => known.path === nearest)?.methods.join(' or ');
  if (!isClose) return new AppError('ROUTE_NOT_FOUND', { message });
  return new AppError('ROUTE_NOT_FOUND', {
    message,
    suggestion: `Did you mean ${methods} ${nearest}? All routes are listed at /docs.`,
  });
}
