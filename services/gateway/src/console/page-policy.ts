/**
 * Headers of the console's page. It loads from its own host alone, and its scripts cannot turn text into markup
 * (Trusted Types). Its styles are files, too (docs/decisions/console.md).
 */
export const PAGE_HEADERS = [
  [
    'Content-Security-Policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), clipboard-read=()'],
] as const;
