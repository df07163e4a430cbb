/**
 * Every error that a caller can get: its HTTP status, its default source, when it happens and what to do next.
 * `isRetryable` is true when the same request may succeed later without a change; jobs retry such pages.
 * The error reference in `docs/` and the OpenAPI document are generated from this table.
 */
export const ERROR_TABLE = {
  INVALID_URL: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'The URL is malformed, not http or https, contains credentials, or leads to an address that the egress policy forbids.',
    suggestion: 'Give an absolute http or https URL of a public site, without a user name or password in it.',
  },
  INVALID_REQUEST: {
    httpStatus: 400,
    source: 'api',
    isRetryable: false,
    when: 'The body or the query does not match the schema; `details` lists every error.',
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
    when: 'A selector does not parse, or its options are not valid. Nothing was fetched. `details[].path` names the field.',
    suggestion:
      'Correct the fields named in `details`: a selector is CSS as document.querySelector takes it, optionally followed by ::text, ::attr(name) or ::html, and by ::all.',
  },
  UNAUTHORIZED: {
    httpStatus: 401,
    source: 'api',
    isRetryable: false,
    when: 'The API key is missing, unknown, revoked or expired.',
    suggestion:
      'Send the header "Authorization: Bearer gl_…" with a valid key; create one with: npm run keys -- create',
  },
  INSUFFICIENT_CREDITS: {
    httpStatus: 402,
    source: 'api',
    isRetryable: false,
    when: "The account's balance does not cover the worst case of the request.",
    suggestion:
      'Add credits with: npm run keys -- credit <account> <amount>, or use fewer options; GET /v1/usage shows the balance.',
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
    suggestion: 'Enable antiBot, or use proxy to go out through another country.',
  },
  ROBOTS_DENIED: {
    httpStatus: 403,
    source: 'target',
    isRetryable: false,
    when: 'The robots.txt of the site disallows the start URL of a crawl, or could not be read because the site failed.',
    suggestion:
      'Ask the site, start from a page that its robots.txt allows, or set crawl.robots to "ignore".',
  },
  NOT_FOUND: {
    httpStatus: 404,
    source: 'target',
    isRetryable: false,
    when: 'The target page answered 404 or 410.',
    suggestion: 'Open the URL in a browser to check that the page exists.',
  },
  JOB_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no job with this id.',
    suggestion: 'Check the id; GET /v1/jobs lists the jobs of this account.',
  },
  SCREENSHOT_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The job has no screenshot of the URL at this index: none was requested, the page failed, or it has not been processed yet.',
    suggestion: 'Use the path in screenshotUrl of a result; GET /v1/jobs/:id shows the results.',
  },
  TRACE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'There is no trace of this scrape or page: it belongs to another account, is older than a day, was never sent to a scraper, or has not been attempted yet.',
    suggestion:
      'Use the requestId of a scrape of the last 24 hours, or a job with the index of a URL that was attempted.',
  },
  SNAPSHOT_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no snapshot with this id: it never existed, is too old, or newer ones took its place.',
    suggestion: 'Scrape the page again with `"snapshot": true`; the response has the id of a new snapshot.',
  },
  FILE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no file with this id: it never existed, is too old, or newer ones took its place.',
    suggestion: 'Download it again with `"download": true`; the result has the id of a new file.',
  },
  SCHEDULE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no schedule with this id.',
    suggestion: 'Check the id; GET /v1/schedules lists the schedules of this account.',
  },
  DATASET_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no dataset with this name.',
    suggestion: 'Check the name; GET /v1/datasets lists the datasets of this account.',
  },
  RECORD_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The dataset has never had a record with this key.',
    suggestion: 'Use the `key` of a record; GET /v1/datasets/:name/records lists them. Percent-encode it.',
  },
  KEY_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no API key with this id.',
    suggestion: 'Check the id; GET /v1/keys lists the keys of this account.',
  },
  SECRET_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no secret with this name.',
    suggestion: 'Check the name; GET /v1/secrets lists the secrets of this account.',
  },
  CHANNEL_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no channel with this id.',
    suggestion: 'Check the id; GET /v1/channels lists the channels of this account.',
  },
  RECIPE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no recipe with this id, or none of this version; with `"recipe": "auto"`, none that matches the URL.',
    suggestion: 'Check the id; GET /v1/recipes lists the recipes of this account with their patterns.',
  },
  PROFILE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no profile with this id.',
    suggestion: 'Check the id; GET /v1/profiles lists the profiles of this account.',
  },
  DELIVERY_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'The account has no webhook delivery with this id.',
    suggestion: 'Check the id; GET /v1/webhooks/deliveries lists the deliveries of this account.',
  },
  ROUTE_NOT_FOUND: {
    httpStatus: 404,
    source: 'api',
    isRetryable: false,
    when: 'No route has this path.',
    suggestion: 'Check the path; /docs lists all routes.',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    source: 'api',
    isRetryable: false,
    when: 'The path exists, but not with this method; the Allow header lists its methods.',
    suggestion: 'Use one of the methods in the Allow header.',
  },
  TIMEOUT: {
    httpStatus: 408,
    source: 'target',
    isRetryable: true,
    when: "The request's time budget ran out; the message names the stage.",
    suggestion: 'Raise timeout (at most 120000 ms), or request less of the page.',
  },
  JOB_NOT_CANCELLABLE: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The job has already finished.',
    suggestion: 'Read its results with GET /v1/jobs/:id.',
  },
  JOB_NOT_FINISHED: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The job has not finished, and only a finished job can be run again.',
    suggestion:
      'Wait until it has finished (GET /v1/jobs/:id/events), or cancel it with DELETE /v1/jobs/:id.',
  },
  SUGGESTION_OUTDATED: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The selectors of the schedule, or the pages that its suggestions are made of, have changed since they were read.',
    suggestion: 'Read GET /v1/schedules/:id/health again, and accept what it suggests now.',
  },
  NO_SUGGESTION: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'There is no suggestion to accept: no field has fallen, none of the suggestions is verified, or a named field has none.',
    suggestion:
      'GET /v1/schedules/:id/health shows the fields with their suggestions, or why there are none; name a field to accept one that is not verified.',
  },
  NOTHING_TO_COMPARE: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The schedule has no two finished runs with Markdown of the same page; the message says which one lacks it.',
    suggestion:
      'Give the schedule `"formats": ["markdown"]`, and wait for two runs. GET /v1/schedules/:id/runs lists them.',
  },
  DATASET_KEY_DIFFERS: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'The account has a dataset of this name whose records are told apart by another key.',
    suggestion:
      'Use the key of the dataset, which the message names, or another name. DELETE /v1/datasets/:name deletes the dataset.',
  },
  RECIPE_AMBIGUOUS: {
    httpStatus: 409,
    source: 'api',
    isRetryable: false,
    when: 'With `"recipe": "auto"`: several recipes match the URL equally well, or the URLs of a job have different ones.',
    suggestion: 'Name the recipe by its id, or make a job for the URLs of each.',
  },
  REVISION_GONE: {
    httpStatus: 410,
    source: 'api',
    isRetryable: false,
    when: 'The dataset has been deleted since this revision was read, or an earlier state of it was restored.',
    suggestion: 'Empty your copy, and read again from the beginning with since=0.',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    source: 'api',
    isRetryable: false,
    when: 'The body is over 1 MiB (10 MiB when creating a job, 20 MiB with HTML to extract from, which may have 10 MiB itself).',
    suggestion: 'Send a smaller body: split a long list of URLs into several jobs.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    httpStatus: 415,
    source: 'api',
    isRetryable: false,
    when: 'The request has a body without Content-Type: application/json.',
    suggestion: 'Send the header "Content-Type: application/json".',
  },
  IDEMPOTENCY_CONFLICT: {
    httpStatus: 422,
    source: 'api',
    isRetryable: false,
    when: 'The Idempotency-Key was already used with another body.',
    suggestion: 'Use a new Idempotency-Key for a new request, or repeat the first body exactly.',
  },
  UNSUPPORTED_CONTENT: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'The target sent something that is not a document (such as an image or an archive), the page is over the size limit, or extracting from it takes more work or returns more data than one request may.',
    suggestion: 'Scrape the HTML page that links to it instead.',
  },
  REQUIRED_FIELD_MISSING: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'A field marked `required` has no value on the page. `details[].path` names the field.',
    suggestion:
      'Scrape the page without selectors to see what it contains: it may be another page than expected.',
  },
  ACTION_FAILED: {
    httpStatus: 422,
    source: 'target',
    isRetryable: true,
    when: 'A step of `actions` could not be done: its element was not there, not visible, disabled, moving or covered. `details[].path` names the step.',
    suggestion:
      'Open the page in a browser and check the selector of the step, or set "optional": true where the page may do without it.',
  },
  LOGIN_REQUIRED: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'With `onSuspect: "fail"`: the site sent a login instead of the page.',
    suggestion:
      'Use a profile, or send the cookies or the Authorization header of a session that is signed in.',
  },
  PROFILE_EXPIRED: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'The session of the profile is over and could not be renewed: a page failed the `check` of the profile again after a new login, the login failed, or only a person can sign in.',
    suggestion:
      'GET /v1/profiles/:id shows the error of the last login. Correct its steps or its check, or sign in again with POST /v1/profiles/:id/login.',
  },
  RENDER_NEEDED: {
    httpStatus: 422,
    source: 'target',
    isRetryable: false,
    when: 'With `onSuspect: "fail"`: the page has no content of its own and says that it needs JavaScript.',
    suggestion: 'Scrape the page with `"render": "auto"` or `true`.',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    source: 'api',
    isRetryable: true,
    when: 'Too many requests: the key or the feed reached its own limit (source api), or the target still answered 429 after retries (source target).',
    suggestion: 'Wait for the number of seconds in Retry-After, then try again.',
  },
  INTERNAL_ERROR: {
    httpStatus: 500,
    source: 'api',
    isRetryable: true,
    when: 'The service failed; its log has the details under the requestId.',
    suggestion: 'Try again; if it happens again, look for the requestId in the logs of the service.',
  },
  UPSTREAM_ERROR: {
    httpStatus: 502,
    source: 'target',
    isRetryable: true,
    when: 'DNS, TLS or the connection failed, the response was broken, the redirects form a loop, or the target answered with another 4xx or 5xx.',
    suggestion: 'Check that the page opens in a browser, then try again later.',
  },
  OUTCOME_UNKNOWN: {
    httpStatus: 502,
    source: 'target',
    isRetryable: false,
    when: 'A request that must not be sent twice was sent, or may have been, and no complete answer came: it may or may not have taken effect.',
    suggestion:
      'Look at the site for what became of the request before sending it again. Where it may arrive twice, as a search may, set "repeatable": true.',
  },
  PROXY_ERROR: {
    httpStatus: 502,
    source: 'target',
    isRetryable: true,
    when: 'Every proxy that was tried failed: it was unreachable, rejected the credentials, or could not connect to the site.',
    suggestion: 'Try again, or choose another country.',
  },
  SEARCH_FAILED: {
    httpStatus: 502,
    source: 'api',
    isRetryable: true,
    when: 'SearXNG, by which searches are made, could not be reached, did not answer in time, or answered with an error or with too much.',
    suggestion: 'Try again in a moment; if it happens again, look at the log of SearXNG.',
  },
  SEARCH_MISCONFIGURED: {
    httpStatus: 502,
    source: 'api',
    isRetryable: false,
    when: 'SEARCH_URL is not the address of a SearXNG that answers in JSON; the message says what it answered.',
    suggestion:
      'Ask the operator of this service to enable json under search.formats in the settings.yml of SearXNG, and to check SEARCH_URL.',
  },
  MODEL_FAILED: {
    httpStatus: 502,
    source: 'api',
    isRetryable: true,
    when: 'The language model, by which selectors are found for a schema, did not answer in time, refused, or answered with something unusable. Nothing is charged.',
    suggestion: 'Try again in a moment, or ask for fewer fields.',
  },
  NOT_CONFIGURED: {
    httpStatus: 503,
    source: 'api',
    isRetryable: false,
    when: 'The request needs a service that the operator of this installation has not set up; the message names the setting.',
    suggestion:
      'Leave that part of the request out, or ask the operator of this service for it; docs/configuration.md lists all settings.',
  },
  SERVICE_UNAVAILABLE: {
    httpStatus: 503,
    source: 'api',
    isRetryable: true,
    when: 'The broker, the database or all workers are unavailable, or a queue is full.',
    suggestion: 'Wait for the number of seconds in Retry-After, then try again.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Origin of an error: this service, or the target page. */
export type ErrorSource = 'api' | 'target';

/** One row of the error table. */
export interface ErrorDefinition {
  readonly httpStatus: number;
  readonly source: ErrorSource;
  readonly isRetryable: boolean;
  readonly when: string;
  readonly suggestion: string;
}

/** Code of an error, as callers see it. */
export type ErrorCode = keyof typeof ERROR_TABLE;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_TABLE) as [ErrorCode, ...ErrorCode[]];
