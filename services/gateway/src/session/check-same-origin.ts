import type { IncomingMessage } from 'node:http';
import { AppError } from '@gleaner/contracts';

/**
 * Throws UNAUTHORIZED unless a request with a session comes from the console itself, as Go's CrossOriginProtection decides it
 * (https://pkg.go.dev/net/http#CrossOriginProtection). `same-site` is not enough: all ports of 127.0.0.1 are one site.
 */
export function checkSameOrigin(request: Pick<IncomingMessage, 'method' | 'headers'>): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  if (isSafe && (site === undefined || site === 'none')) return;
  // Browsers leave the header out on plain http beyond loopback, and old ones always do.
  if (site === undefined && isOwnOrigin(request)) return;
  throw new AppError('UNAUTHORIZED', {
    message: 'The request carries the session of the console but does not come from it.',
    suggestion: 'Call the API with the header "Authorization: Bearer gl_…".',
  });
}

/** Throws UNAUTHORIZED when a browser sends a request for the page of another origin; other clients pass. */
export function checkNotForeign(request: Pick<IncomingMessage, 'method' | 'headers'>): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined || origin !== undefined)
    checkSameOrigin({ headers: request.headers, method: 'POST' });
}

function isOwnOrigin({ headers: { origin, host } }: Pick<IncomingMessage, 'headers'>): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
