import { ROUTES } from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import type { Request } from 'express';
import type { Response, Stage } from '../call.ts';

/** Records every call of the API as a span, which belongs to the caller's own trace if it names one. */
export function traceCall(tracer: Tracer): Stage {
  return (request, response, next) => {
    if (!tracer.isOn || !request.path.startsWith('/v1/')) return next();
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    return tracer.run({ name: request.method, kind: 'server', parent }, async (span) => {
      const answered = new Promise((resolve) => response.once('close', resolve));
      next();
      await answered;
      const { call } = response.locals;
      const route = routeOf(call.route);
      if (route !== undefined) span.rename(`${request.method} ${route}`);
      span.set(attributesOf(request, response));
      if (call.errorCode !== undefined) span.fail(call.errorCode);
    });
  };
}

/** Returns the path of a route of the contract, such as `/v1/jobs/{id}`. */
function routeOf(name: string | undefined): string | undefined {
  return Object.entries(ROUTES).find(([key]) => key === name)?.[1].path ?? name;
}

function attributesOf({ method }: Request, { statusCode, locals: { call } }: Response) {
  return {
    'http.request.method': method,
    'http.route': routeOf(call.route),
    'http.response.status_code': statusCode,
    'gleaner.request.id': call.requestId,
  };
}
