import type { Logger } from '@gleaner/service-kit';
import type { Request } from 'express';
import type { Call, Response, Stage } from '../call.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';

/** Writes one log line and counts metrics when a call is over; never its query, its body or a header. */
export function logAccess({ logger, metrics }: { logger: Logger; metrics: GatewayMetrics }): Stage {
  return (request, response, next) => {
    // The socket forgets its peer when it is closed.
    const clientAddress = request.socket.remoteAddress;
    response.once('close', () => {
      const { call } = response.locals;
      const seconds = (performance.now() - call.startedAtMs) / 1000;
      const route = call.route ?? 'none';
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      metrics.requests.inc({ route, method: request.method, status, code: call.errorCode ?? '' });
      metrics.durations.observe({ route }, seconds);
      const level = PROBES.has(route) ? 'debug' : 'info';
      logger[level]({ ...lineOf(request, response, seconds), clientAddress }, 'call');
    });
    next();
  };
}

/** Probes arrive every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

function lineOf(
  request: Request,
  { statusCode, writableFinished, locals: { call } }: Response,
  seconds: number,
) {
  return {
    requestId: call.requestId,
    callId: call.id,
    method: request.method,
    route: call.route,
    ...(call.route === undefined && { path: shownPath(request.path) }),
    status: statusCode,
    code: call.errorCode,
    durationMs: Math.round(seconds * 1e5) / 100,
    keyId: call.caller?.keyId,
    accountId: call.caller?.account.id,
    targetHost: targetHostOf(call),
    ...(!writableFinished && { isAborted: true }),
  };
}

const MAX_PATH_LENGTH = 200;

/** Returns the path of an unknown route, shortened and without API keys, which clients put into paths by mistake. */
function shownPath(path: string): string {
  return path.slice(0, MAX_PATH_LENGTH).replaceAll(/(gl[fs]?_)[\w-]*/g, '$1…');
}

/** Returns the host of the page that a scrape, schedule or test is about; its path and query may hold secrets. */
function targetHostOf({ body }: Call): string | undefined {
  if (typeof body !== 'object' || body === null || !('url' in body)) return undefined;
  return typeof body.url === 'string' ? URL.parse(body.url)?.host : undefined;
}
