import {
  ROUTES,
  type RouteBody,
  type RouteHeaders,
  type RouteName,
  type RouteQuery,
} from '@gleaner/contracts';
import type { Request } from 'express';
import { type Call, expectSet, type Stage } from '../call.ts';
import {
  EmptyResponse,
  FileResponse,
  JsonWithHeaders,
  StreamedResponse,
  sendJson,
  sendStream,
} from '../responses/responses.ts';
import { sendFile } from '../responses/send-file.ts';
import type { CheckedCall, Handler } from './handler.ts';

/** Runs the handler of a route and sends its result. */
export function respond<Name extends RouteName, Deps>(
  name: Name,
  handler: Handler<Name, Deps>,
  deps: Deps,
): Stage {
  const { status } = ROUTES[name];
  return async (request, response) => {
    const { call } = response.locals;
    const result = await handler(checkedCall(request, call), deps);
    const { method, headers } = request;
    const { signal } = call;
    if (result === undefined) return void response.status(status).end();
    if (result instanceof EmptyResponse) return void response.status(result.status).end();
    if (result instanceof StreamedResponse) {
      return await sendStream(response, status, result, { method, signal });
    }
    if (result instanceof FileResponse) {
      const known = { knownTags: headers['if-none-match'], knownSince: headers['if-modified-since'] };
      return await sendFile(response, result, { method, ...known, signal });
    }
    if (!(result instanceof JsonWithHeaders)) return sendJson(response, status, result);
    for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value);
    sendJson(response, result.status ?? status, result.body);
  };
}

/** Returns the call as the handler gets it; earlier stages have checked query, headers and body against the schemas of the route. */
export function checkedCall<Name extends RouteName>(request: Request, call: Call): CheckedCall<Name> {
  return {
    id: call.id,
    requestId: call.requestId,
    arrivedAtMs: call.arrivedAtMs,
    startedAtMs: call.startedAtMs,
    signal: call.signal,
    admission: expectSet(call.admission, 'admission'),
    caller: expectSet(call.caller, 'caller'),
    params: request.params as Record<string, string>,
    query: call.query as RouteQuery<Name>,
    headers: call.headers as RouteHeaders<Name>,
    body: call.body as RouteBody<Name>,
  };
}
