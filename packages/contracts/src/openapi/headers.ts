/** Headers of a response to a call that was counted. */
export const COUNTED_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;

/** Response headers, by the names that the document declares them under. */
export const HEADERS = {
  'X-Request-Id': {
    description: "Identifies the call in the logs; the caller's own X-Request-Id if it is valid.",
    schema: { type: 'string', examples: ['req_01jd8x0000000000000000000'] },
  },
  'RateLimit-Limit': {
    description: 'Calls of this kind that the key may make per window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'Calls that are left in this window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the full limit is available again.',
    schema: { type: 'integer' },
  },
  'RateLimit-Policy': {
    description:
      'The limit (`q`) and its window in seconds (`w`), by the kind of the call (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string', examples: ['"scrape";q=60;w=60'] },
  },
  RateLimit: {
    description:
      'The calls that are left (`r`), and the seconds until more are (`t`), by the kind of the call (the same draft).',
    schema: { type: 'string', examples: ['"scrape";r=59;t=12'] },
  },
  'Content-Disposition': {
    description: 'A file name to save the response under.',
    schema: { type: 'string', examples: ['attachment; filename="job_01jd8x0000000000000000000.csv"'] },
  },
  Location: {
    description: 'Path of the resource that was created.',
    schema: { type: 'string', examples: ['/v1/jobs/job_01jd8x0000000000000000000'] },
  },
  ETag: {
    description: 'Version of the content; send it as If-None-Match to get 304 while it is unchanged.',
    schema: { type: 'string', examples: ['"6740c0ffee"'] },
  },
  'Last-Modified': {
    description:
      'Time of the newest content; send it as If-Modified-Since to get 304 while there is nothing newer.',
    schema: { type: 'string', examples: ['Sat, 31 Jan 2026 12:00:00 GMT'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`.',
    schema: { type: 'string' },
  },
} as const;

/** Name of a declared header. */
export type HeaderName = keyof typeof HEADERS;

/** Returns references to declared headers, as a response lists them. */
export function referToHeaders(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
