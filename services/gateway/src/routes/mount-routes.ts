import { ROUTES, type RouteDefinition, type RouteName } from '@gleaner/contracts';
import type { Express, RequestHandler } from 'express';
import type { BodyBudget } from '../body/body-budget.ts';
import type { Stage } from '../call.ts';
import { type AuthenticateDeps, authenticate, authenticateReader } from '../middleware/authenticate.ts';
import { checkInput, type FindValueErrors } from '../middleware/check-input.ts';
import { checkScope, nameRoute } from '../middleware/check-request.ts';
import { type LimitRateDeps, limitRate } from '../middleware/limit-rate.ts';
import { readBody } from '../middleware/read-body.ts';
import { HANDLERS, type HandlerDeps } from './handlers.ts';
import { respond } from './respond.ts';

/** Collaborators of the stages of a route. */
export interface RouteDeps extends LimitRateDeps, AuthenticateDeps {
  readonly bodyBudget: BodyBudget;
  /** Checks of values by route, for bodies that their schema rejects. */
  readonly valueChecks: Partial<Record<RouteName, FindValueErrors>>;
  readonly handlerDeps: HandlerDeps;
  /** Hears the routes of calls as they begin and end. */
  readonly noteWork: (name: string) => void;
}

/** Mounts every route of the contract. */
export function mountRoutes(app: Express, deps: RouteDeps): void {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { method, path } = ROUTES[name];
    app[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), ...(stagesOf(name, deps) as RequestHandler[]));
  }
}

/** Returns the stages of a route in their order. */
function stagesOf<Name extends RouteName>(name: Name, deps: RouteDeps): Stage[] {
  const route: RouteDefinition = ROUTES[name];
  return [
    nameRoute(name, deps),
    route.opensWithToken ? authenticateReader(deps) : authenticate(deps),
    limitRate(route, deps),
    checkScope(route.scope),
    ...(route.body ? [readBody(route, deps.bodyBudget)] : []),
    checkInput(route, deps.valueChecks[name]),
    respond(name, HANDLERS[name], deps.handlerDeps),
  ];
}
