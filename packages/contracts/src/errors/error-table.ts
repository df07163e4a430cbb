/**
 * Every error that a caller can meet: its HTTP status, whose fault it is by default, and what to do next.
 * `isRetryable` says whether the same request may succeed later without a change; jobs retry by it.
 * The error reference in `docs/` and the OpenAPI document are generated from this table.
 */
export const ERROR_TABLE = {
  INVALID_URL: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'The URL is malformed, not http or https, carries credentials, or leads to an address that the egress policy refuses.',
    suggestion: 'Give an absolute http or https URL of a public site, without a user name or password in it.',
  },
  INVALID_REQUEST: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'The body or the query does not fit the schema; `details` lists every fault.',
    suggestion: 'Correct the fields named in `details`; the schema is at /openapi.json.',
  },
  INVALID_JSON: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'The body is not JSON, not UTF-8, or not an object.',
    suggestion: 'Send one JSON object in UTF-8.',
  },
  INVALID_SELECTOR: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'A selector does not parse; found before anything is fetched. `details[].path` names the field.',
    suggestion:
      'Correct the fields named in `details`: a selector is CSS as document.querySelector takes it, then ::text, ::attr(name) or ::html, then ::all.',
  },
  UNAUTHORIZED: {
    httpStatus: 401,
    source: 'api',
    isRetryable: false,
    when: 'There is no API key, or it is unknown, revoked or expired.',
    suggestion:
      'Send the header "Authorization: Bearer gl_…" with a valid key; create one with: npm run keys -- create',
  },
  INSUFFICIENT_CREDITS: {
    httpStatus: 402,
    source: 'api',
    isRetryable: false,
    when: "The account's balance does not cover the worst case of the request.",
    suggestion: 'Add credits to the account, or ask for fewer options; GET /v1/usage shows the balance.',
  },
  FORBIDDEN: {
    httpStatus: 403,
    source: 'api',
    isRetryable: false,
    when: 'The API key lacks the scope that the route needs.',
    suggestion: 'Use a key that has the scope, or create one with: npm run keys -- create --scopes <scope>',
  },
  BLOCKED: {
    httpStatus: 403,
    source: 'target',
    isRetryable: true,
    when: "The target site refused the request (401, 403, 407, 451, or a vendor's challenge page whatever its status).",
    suggestion: 'Enable antiBot, or go out through another country with proxy.',
  },
  NOT_FOUND: {
    httpStatus: 404,
    source: 'target',
    isRetryable: false,
    when: 'The target page answered 404 or 410.',
    suggestion: 'Check the URL in a browser: the page is not there.',
  },
  JOB_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'There is no such job in the account.',
    suggestion: 'Check the identifier; GET /v1/jobs lists the jobs of this account.',
  },
  SCREENSHOT_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The job has no screenshot of the URL at this place: none was asked for, it failed, or has not been processed yet.',
    suggestion: 'Take the path from screenshotUrl of a result; GET /v1/jobs/:id shows the results.',
  },
  SCHEDULE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'There is no such schedule in the account.',
    suggestion: 'Check the identifier; GET /v1/schedules lists the schedules of this account.',
  },
  KEY_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'There is no such API key in the account.',
    suggestion: 'Check the identifier; GET /v1/keys lists the keys of this account.',
  },
  DELIVERY_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'There is no such webhook delivery in the account.',
    suggestion: 'Check the identifier; GET /v1/webhooks/deliveries lists the deliveries of this account.',
  },
  ROUTE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'No route has this path.',
    suggestion: 'Check the path; all routes are listed at /docs.',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    source: 'api',
    isRetryable: false,
    when: 'The path exists, but not with this method; the Allow header lists those that do.',
    suggestion: 'Use one of the methods in the Allow header.',
  },
  TIMEOUT: {
    httpStatus: 408,
    source: 'target',
    isRetryable: true,
    when: "The request's time budget ran out; the message names the stage.",
    suggestion: 'Raise timeout (at most 120000 ms), or ask for less of the page.',
  },
  JOB_NOT_CANCELLABLE: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The job has already ended.',
    suggestion: 'Nothing to do: read its results with GET /v1/jobs/:id.',
  },
  IDEMPOTENCY_CONFLICT: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The Idempotency-Key was used before with another body.',
    suggestion: 'Use a new Idempotency-Key for a new request, or repeat the first body exactly.',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    source: 'api',
    isRetryable: false,
    when: 'The body is over 1 MiB (10 MiB when creating a job).',
    suggestion: 'Send a smaller body: split a long list of URLs into several jobs.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    httpStatus: 415,
    source: 'api',
    isRetryable: false,
    when: 'A body came without Content-Type: application/json.',
    suggestion: 'Send the header "Content-Type: application/json".',
  },
  UNSUPPORTED_CONTENT: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'The target sent something that is not a document (an image, an archive …), or more than the size cap; or what is asked of the page takes more work, or gives more, than one request may.',
    suggestion: 'Scrape the HTML page that links to it instead.',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    source: 'api',
    isRetryable: true,
    when: "Too many requests: the key's own limit (source api), or the target's 429 after retries (source target).",
    suggestion: 'Wait for the seconds in Retry-After, then try again.',
  },
  INTERNAL_ERROR: {
    httpStatus: 500,
    source: 'api',
    isRetryable: true,
    when: 'A fault of the service; it is logged in full under the requestId.',
    suggestion: 'Try again; if it stays, look for the requestId in the logs of the service.',
  },
  UPSTREAM_ERROR: {
    httpStatus: 502,
    source: 'target',
    isRetryable: true,
    when: 'DNS, TLS or connection failure, a broken response, a redirect loop, or any other 4xx or 5xx of the target.',
    suggestion: 'Check that the page opens in a browser, then try again later.',
  },
  PROXY_ERROR: {
    httpStatus: 502,
    source: 'target',
    isRetryable: true,
    when: 'Every proxy of the country that was tried failed: unreachable, wrong credentials, or no connection to the site.',
    suggestion: 'Try again, or choose another country.',
  },
  SERVICE_UNAVAILABLE: {
    httpStatus: 503,
    source: 'api',
    isRetryable: true,
    when: 'The broker, the database or every worker is away, or a queue is full.',
    suggestion: 'Wait for the seconds in Retry-After, then try again.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Where a failure began: with this service, or with the page that was asked for. */
export type ErrorSource = 'api' | 'target';

/** One row of the error table. */
export interface ErrorDefinition {
  readonly httpStatus: number;
  readonly source: ErrorSource;
  readonly isRetryable: boolean;
  readonly when: string;
  readonly suggestion: string;
}

/** The code of an error, as callers see it. */
export type ErrorCode = keyof typeof ERROR_TABLE;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_TABLE) as [ErrorCode, ...ErrorCode[]];
