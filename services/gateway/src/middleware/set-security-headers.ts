import type { Stage } from '../call.ts';

/** Sets headers that stop browsers from rendering or sniffing API responses. */
export function setSecurityHeaders(): Stage {
  return (_request, response, next) => {
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    next();
  };
}

/** Headers of every response, including the ones written without the app. */
export const SECURITY_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;
