import type { RouteBody, RouteHeaders, RouteName, RouteQuery, RouteResponse } from '@gleaner/contracts';
import type { Caller } from '../authentication/caller.ts';
import type { Call } from '../call.ts';
import type { AnswerWithHeaders, FileAnswer, StreamedAnswer } from './answers.ts';
import type { JsonText } from './json-text.ts';

/** A call that passed every stage: authenticated, within its limits, and of the shape that its route declares. */
export interface CheckedCall<Name extends RouteName>
  extends Pick<Call, 'id' | 'requestId' | 'arrivedAtMs' | 'startedAtMs' | 'signal'> {
  readonly admission: Promise<void>;
  readonly caller: Caller;
  /** The parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: RouteQuery<Name>;
  readonly headers: RouteHeaders<Name>;
  readonly body: RouteBody<Name>;
}

/** Does what a route is for; what it returns is answered with the route's status, what it throws with the error's. */
export type Handler<Name extends RouteName> = (
  call: CheckedCall<Name>,
) => Promise<
  RouteResponse<Name> | JsonText | AnswerWithHeaders<RouteResponse<Name>> | StreamedAnswer | FileAnswer
>;

/** One handler for each route of the contract; without one of them the gateway does not compile. */
export type Handlers = { readonly [Name in RouteName]: Handler<Name> };
