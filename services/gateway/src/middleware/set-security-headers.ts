import type { Stage } from '../call.ts';

/** Tells browsers to take an answer for nothing but the data that it is. */
export function setSecurityHeaders(): Stage {
  return (_request, response, next) => {
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    next();
  };
}

/** What every answer has, below the app too. */
export const SECURITY_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;
