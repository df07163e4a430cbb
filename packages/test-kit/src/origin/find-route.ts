import { type Behavior, type Exchange, type OriginRoute, page } from './behavior.ts';
import { ROUTES } from './route-table.ts';

/** A behavior, with the values of the `:names` in its path. */
export interface FoundRoute {
  readonly behavior: Behavior;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the first route whose path matches; otherwise 404, or 501 when the route does not exist over this protocol. */
export function findRoute(path: string, httpVersion: string, ownRoutes: readonly OriginRoute[]): FoundRoute {
  for (const route of [...ownRoutes, ...ROUTES]) {
    const params = matchPath(route.path, path);
    const isServed = !route.isRaw || httpVersion.startsWith('1.');
    if (params) return { behavior: isServed ? route.behavior : onlyOverHttp1, params };
  }
  return { behavior: notFound, params: {} };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split('/');
  const segments = path.split('/');
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = decodeURIComponent(segments[index] ?? '');
    if (name.startsWith(':')) params[name.slice(1)] = segment;
    else if (name !== segment) return undefined;
  }
  return params;
}

function notFound({ response }: Exchange): void {
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page('Not found', '<h1>There is nothing here</h1>'));
}

function onlyOverHttp1({ response }: Exchange): void {
  response.writeHead(501, { 'content-type': 'text/plain' });
  response.end('This route misbehaves over HTTP/1.1 only.');
}
