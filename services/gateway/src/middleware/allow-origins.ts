import type { Response, Stage } from '../call.ts';

/**
 * Lets pages of the listed origins (`*` for all) read responses (CORS, Fetch Standard section 3.2), and answers their
 * preflights. Without origins it does nothing, and browsers refuse by themselves.
 */
export function allowOrigins(origins: readonly string[]): Stage {
  const allowed = new Set(origins);
  const isAllowed = (origin: string) => allowed.has('*') || allowed.has(origin);
  return (request, response, next) => {
    if (allowed.size === 0) return next();
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', allowed.has('*') ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight) return next();
    answerPreflight(response);
  };
}

const EXPOSED =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, Location, Content-Disposition';

const PREFLIGHT_SECONDS = 600;

function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id',
  );
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.statusCode = 204;
  response.end();
}
