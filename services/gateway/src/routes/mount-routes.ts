import { LIMITS, ROUTES, type RouteDefinition, type RouteName } from '@gleaner/contracts';
import type { Express, RequestHandler } from 'express';
import type { CredentialLookup } from '../authentication/credential-lookup.ts';
import type { Stage } from '../call.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { checkInput } from '../middleware/check-input.ts';
import { checkScope } from '../middleware/check-scope.ts';
import { type LimitRateDeps, limitRate } from '../middleware/limit-rate.ts';
import { nameRoute } from '../middleware/name-route.ts';
import { readBody } from '../middleware/read-body.ts';
import { respond } from '../middleware/respond.ts';
import type { Handlers } from './handler.ts';

/** What the stages of a route work with. */
export interface RouteDeps extends LimitRateDeps {
  readonly credentials: Pick<CredentialLookup, 'find'>;
  readonly handlers: Handlers;
}

/** Gives every route of the contract its place in the app. */
export function mountRoutes(app: Express, deps: RouteDeps): void {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { method, path } = ROUTES[name];
    app[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), ...(stagesOf(name, deps) as RequestHandler[]));
  }
}

/** What a call of a route passes, in this order. */
function stagesOf<Name extends RouteName>(name: Name, deps: RouteDeps): Stage[] {
  const route: RouteDefinition = ROUTES[name];
  return [
    nameRoute(name),
    authenticate(deps.credentials),
    limitRate(route.rateLimit, deps),
    checkScope(route.scope),
    ...(route.body ? [readBody(route.maxBodyBytes ?? LIMITS.maxBodyBytes)] : []),
    checkInput(route),
    respond(name, deps.handlers[name]),
  ];
}
