import type { Static, TSchema } from 'typebox';
import { CHANNEL_ROUTES } from './channel-routes.ts';
import { DATASET_ROUTES } from './dataset-routes.ts';
import { FILE_ROUTES } from './file-routes.ts';
import { JOB_ROUTES } from './job-routes.ts';
import { KEY_ROUTES } from './key-routes.ts';
import { PROFILE_ROUTES } from './profile-routes.ts';
import { RECIPE_ROUTES } from './recipe-routes.ts';
import type { RouteDefinition } from './route.ts';
import { SCHEDULE_ROUTES } from './schedule-routes.ts';
import { SCRAPE_ROUTES } from './scrape-routes.ts';
import { SECRET_ROUTES } from './secret-routes.ts';
import { SNAPSHOT_ROUTES } from './snapshot-routes.ts';
import { SYSTEM_ROUTES } from './system-routes.ts';
import { USAGE_ROUTES } from './usage-routes.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

/** Every route of the REST interface, by the name of its operation. */
export const ROUTES = {
  ...SCRAPE_ROUTES,
  ...SNAPSHOT_ROUTES,
  ...FILE_ROUTES,
  ...JOB_ROUTES,
  ...DATASET_ROUTES,
  ...SCHEDULE_ROUTES,
  ...RECIPE_ROUTES,
  ...PROFILE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...CHANNEL_ROUTES,
  ...KEY_ROUTES,
  ...SECRET_ROUTES,
  ...USAGE_ROUTES,
  ...SYSTEM_ROUTES,
} as const satisfies Record<string, RouteDefinition>;

export type RouteName = keyof typeof ROUTES;
type Route<Name extends RouteName> = (typeof ROUTES)[Name];

/** Checked body of a route. */
export type RouteBody<Name extends RouteName> =
  Route<Name> extends { body: infer Body extends TSchema } ? Static<Body> : undefined;
/** Checked query of a route. */
export type RouteQuery<Name extends RouteName> =
  Route<Name> extends { query: infer Query extends TSchema } ? Static<Query> : undefined;
/** Checked request headers of a route, with names in lower case. */
export type RouteHeaders<Name extends RouteName> =
  Route<Name> extends { headers: infer Headers extends TSchema } ? Static<Headers> : undefined;
/** Response of a route when it succeeds. */
export type RouteResponse<Name extends RouteName> =
  Route<Name> extends { response: infer Response extends TSchema } ? Static<Response> : undefined;
