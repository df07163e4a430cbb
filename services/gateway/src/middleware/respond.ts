import {
  ROUTES,
  type RouteBody,
  type RouteHeaders,
  type RouteName,
  type RouteQuery,
} from '@gleaner/contracts';
import type { Request } from 'express';
import { type Call, expectSet, type Stage } from '../call.ts';
import { AnswerWithHeaders, FileAnswer, StreamedAnswer } from '../routes/answers.ts';
import type { CheckedCall, Handler } from '../routes/handler.ts';
import { sendFile } from '../send-file.ts';
import { sendJson } from '../send-json.ts';
import { streamText } from '../stream-text.ts';

/** Lets the handler do its work and answers with what it returns. */
export function respond<Name extends RouteName>(name: Name, handler: Handler<Name>): Stage {
  const { status } = ROUTES[name];
  return async (request, response) => {
    const { call } = response.locals;
    const answer = await handler(checkedCall(request, call));
    if (answer === undefined) return void response.status(status).end();
    if (answer instanceof StreamedAnswer) return await streamText(response, status, answer, call.signal);
    if (answer instanceof FileAnswer) {
      const { method, headers } = request;
      const { signal } = call;
      return await sendFile(response, answer, { method, knownTags: headers['if-none-match'], signal });
    }
    if (!(answer instanceof AnswerWithHeaders)) return sendJson(response, status, answer);
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    sendJson(response, status, answer.body);
  };
}

/** The stages before have held query and body against the route's schemas. */
function checkedCall<Name extends RouteName>(request: Request, call: Call): CheckedCall<Name> {
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
