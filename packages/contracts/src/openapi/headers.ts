/** The headers of our answers, by the names under which the document declares them. */
export const HEADERS = {
  'X-Request-Id': {
    description: "Names this call in the logs; the caller's own X-Request-Id when it sent a sane one.",
    schema: { type: 'string', examples: ['req_01jd8x0000000000000000000'] },
  },
  'RateLimit-Limit': {
    description: 'How many calls of this kind the key may make in a window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left in this window.',
    schema: { type: 'integer' },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the allowance is whole again.',
    schema: { type: 'integer' },
  },
  Location: {
    description: 'Where to read what was made.',
    schema: { type: 'string', examples: ['/v1/jobs/job_01jd8x0000000000000000000'] },
  },
  ETag: {
    description: 'Names what was sent; send it as If-None-Match to be told whether it is still the same.',
    schema: { type: 'string', examples: ['"6740c0ffee"'] },
  },
  'Retry-After': {
    description: 'Seconds after which a retry makes sense.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`.',
    schema: { type: 'string' },
  },
} as const;

/** The name of a declared header. */
export type HeaderName = keyof typeof HEADERS;

/** References to declared headers, as a response lists them. */
export function referToHeaders(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
