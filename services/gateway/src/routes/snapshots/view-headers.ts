import { createHash } from 'node:crypto';

/**
 * Returns the headers of the view of a snapshot. They isolate the page also where its URL is opened directly: an opaque origin
 * without requests, forms, popups and navigation of others, in which at most one script runs: ours, named by its SHA-256. That
 * the page is cleaned as well comes on top.
 */
export function viewHeaders(script: string | undefined): Readonly<Record<string, string>> {
  const hash = script === undefined ? undefined : createHash('sha256').update(script).digest('base64');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      ...(hash === undefined ? ['sandbox'] : ['sandbox allow-scripts', `script-src 'sha256-${hash}'`]),
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
  };
}
