import { type Behaviour, type Exchange, page } from './behaviour.ts';
import { ROUTES } from './route-table.ts';

/** A behaviour, and what the `:names` of its path stand for. */
export interface FoundRoute {
  readonly behaviour: Behaviour;
  readonly params: Readonly<Record<string, string>>;
}

/** The first route whose path fits; a plain 404 where there is none, a 501 where it is not for this protocol. */
export function findRoute(path: string, httpVersion: string): FoundRoute {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    const isServed = !route.isRaw || httpVersion.startsWith('1.');
    if (params) return { behaviour: isServed ? route.behaviour : onlyOverHttp1, params };
  }
  return { behaviour: notFound, params: {} };
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
