import type { Logger } from '@gleaner/service-kit';
import type { Request } from 'express';
import type { Answer, Stage } from '../call.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';

/** Writes one line, and counts, when a call is over: never its query, its body or a header. */
export function logAccess({ logger, metrics }: { logger: Logger; metrics: GatewayMetrics }): Stage {
  return (request, response, next) => {
    response.once('close', () => {
      const { call } = response.locals;
      const seconds = (performance.now() - call.startedAtMs) / 1000;
      const route = call.route ?? 'none';
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      metrics.requests.inc({ route, method: request.method, status, code: call.errorCode ?? '' });
      metrics.durations.observe({ route }, seconds);
      const level = PROBES.has(route) ? 'debug' : 'info';
      logger[level](lineOf(request, response, seconds), 'call');
    });
    next();
  };
}

/** Asked for every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Paths of unknown routes may hold anything; only known ones are shown, as their route. */
function lineOf(
  request: Request,
  { statusCode, writableFinished, locals: { call } }: Answer,
  seconds: number,
) {
  return {
    requestId: call.requestId,
    callId: call.id,
    method: request.method,
    route: call.route,
    status: statusCode,
    code: call.errorCode,
    durationMs: Math.round(seconds * 1e5) / 100,
    keyId: call.caller?.keyId,
    accountId: call.caller?.account.id,
    ...(!writableFinished && { isAborted: true }),
  };
}
