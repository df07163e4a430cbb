import type { RouteBody, RouteHeaders, RouteName, RouteQuery, RouteResponse } from '@gleaner/contracts';
import type { Caller } from '../authentication.ts';
import type { Call } from '../call.ts';
import type {
  EmptyResponse,
  FileResponse,
  JsonText,
  JsonWithHeaders,
  StreamedResponse,
} from '../responses/responses.ts';

/** Call that passed every stage: authenticated, within its limits, and checked against the schemas of its route. */
export interface CheckedCall<Name extends RouteName>
  extends Pick<Call, 'id' | 'requestId' | 'arrivedAtMs' | 'startedAtMs' | 'signal'> {
  readonly admission: Promise<void>;
  readonly caller: Caller;
  /** Parameters in the path of the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: RouteQuery<Name>;
  readonly headers: RouteHeaders<Name>;
  readonly body: RouteBody<Name>;
}

/** Carries out a call of a route. The result is sent with the status of the route, an error with the status of the error. */
export type Handler<Name extends RouteName, Deps> = (
  call: CheckedCall<Name>,
  deps: Deps,
) => Promise<
  | RouteResponse<Name>
  | JsonText
  | JsonWithHeaders<RouteResponse<Name>>
  | StreamedResponse
  | FileResponse
  | EmptyResponse
>;

/** Handlers of routes; a missing one is a type error. */
export type Handlers<Name extends RouteName, Deps> = { readonly [Each in Name]: Handler<Each, Deps> };
