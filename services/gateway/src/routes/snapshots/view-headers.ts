/**
 * Headers of the view of a snapshot. They isolate the page also where its URL is opened directly: an opaque origin without
 * scripts, requests, forms, popups and navigation of others. That the page is cleaned as well comes on top.
 */
export const VIEW_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    'sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'Cache-Control': 'private, no-store',
  'X-DNS-Prefetch-Control': 'off',
} as const;
