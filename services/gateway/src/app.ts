import { ROUTES, type RouteDefinition } from '@gleaner/contracts';
import type { Logger, Tracer } from '@gleaner/service-kit';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Stage } from './call.ts';
import { type ConsoleDeps, mountConsole } from './console/mount-console.ts';
import { SESSION_PATHS } from './console/mount-sessions.ts';
import { mountPages, PAGE_PATHS, type PageDeps } from './docs-pages/mount-pages.ts';
import {
  type FirecrawlDeps,
  firecrawlPaths,
  mountFirecrawl,
  mountFirecrawlErrors,
} from './firecrawl/mount-firecrawl.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { allowOrigins } from './middleware/allow-origins.ts';
import { answerError } from './middleware/answer-error.ts';
import { beginCall } from './middleware/begin-call.ts';
import { checkTarget, checkVersion } from './middleware/check-request.ts';
import { logAccess } from './middleware/log-access.ts';
import { type KnownPath, refuseUnknownRoute } from './middleware/refuse-unknown-route.ts';
import { setSecurityHeaders } from './middleware/set-security-headers.ts';
import { traceCall } from './middleware/trace-call.ts';
import { mountRoutes, type RouteDeps } from './routes/mount-routes.ts';

/** Collaborators of the app. */
export interface AppDeps extends RouteDeps, PageDeps, ConsoleDeps, FirecrawlDeps {
  readonly logger: Logger;
  readonly metrics: GatewayMetrics;
  readonly tracer: Tracer;
  /** Origins whose pages may read responses; `*` for all, none by default. */
  readonly corsOrigins: readonly string[];
}

/** Creates the app: the stages that every call passes, from its arrival to its response, in this order. */
export function createApp(deps: AppDeps): Express {
  const app = bareApp();
  const pass = (stage: Stage) => app.use(stage as RequestHandler);
  pass(beginCall());
  pass(traceCall(deps.tracer));
  pass(logAccess(deps));
  pass(setSecurityHeaders());
  pass(allowOrigins(deps.corsOrigins));
  pass(checkVersion());
  pass(checkTarget());
  mountConsole(app, deps);
  mountRoutes(app, deps);
  mountFirecrawl(app, deps);
  mountPages(app, deps);
  pass(refuseUnknownRoute(knownPaths(deps)));
  mountFirecrawlErrors(app, deps);
  app.use(answerError(deps) as ErrorRequestHandler);
  return app;
}

/** Creates an Express app without its own headers, ETags and query parser. */
function bareApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  return app;
}

function knownPaths(deps: Pick<AppDeps, 'consoleFiles' | 'firecrawl'>): KnownPath[] {
  const routes = Object.values<RouteDefinition>(ROUTES);
  const byPath = Map.groupBy(routes, ({ path }) => path);
  return [
    ...[...byPath].map(([path, group]) => ({
      path,
      methods: group.map(({ method }) => method.toUpperCase()),
    })),
    ...firecrawlPaths(deps),
    ...(deps.consoleFiles === undefined ? [] : [...SESSION_PATHS, { path: '/console/', methods: ['GET'] }]),
    ...PAGE_PATHS.map((path) => ({ path, methods: ['GET'] })),
  ];
}
