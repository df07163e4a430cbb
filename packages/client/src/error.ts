import type { ErrorResponse } from './generated/openapi.ts';
import type { ApiErrorCode } from './operation-types.ts';

/** Codes of errors that this client finds by itself. */
export type ClientErrorCode =
  | 'CLIENT_TIMEOUT'
  | 'CONNECTION_FAILED'
  | 'INVALID_OPTION'
  | 'INVALID_RESPONSE'
  | 'INVALID_SIGNATURE'
  | 'STREAM_CUT';

type ApiError = ErrorResponse['error'];

/** Fields of an error besides its message. */
export interface ErrorFields {
  /** A code of the API (docs/errors.md), or one of this client. */
  readonly code: ApiErrorCode | ClientErrorCode;
  /** `api`: the service refused or failed. `target`: the page did. `client`: the service was not reached or not understood. */
  readonly source: ApiError['source'] | 'client';
  /** HTTP status of the response; undefined when there was none. */
  readonly status?: number | undefined;
  /** The next step to take. */
  readonly suggestion?: string | undefined;
  /** Each error of a body or query, by its path. */
  readonly details?: ApiError['details'] | undefined;
  /** Identifies the call in the logs of the service. */
  readonly requestId?: string | undefined;
  /** Time after which a retry may succeed. */
  readonly retryAfterMs?: number | undefined;
  /** HTTP status of the target page, if it answered. */
  readonly targetStatusCode?: number | undefined;
  /** Attempts at the target page. */
  readonly attempts?: ApiError['attempts'] | undefined;
  /** Kind of the page that was read, if the error is about its content. */
  readonly verdict?: ApiError['verdict'] | undefined;
  /** The window after the steps that were done, with `stepScreenshots`. */
  readonly stepScreenshots?: ApiError['stepScreenshots'] | undefined;
}

/** The error of every call that fails. Only a cancelled call is rejected with something else: the reason of its signal. */
export class GleanerError extends Error implements ErrorFields {
  override readonly name = 'GleanerError';
  readonly code: ApiErrorCode | ClientErrorCode;
  readonly source: ErrorFields['source'];
  readonly status: number | undefined;
  readonly suggestion: string | undefined;
  readonly details: ErrorFields['details'];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly targetStatusCode: number | undefined;
  readonly attempts: ErrorFields['attempts'];
  readonly verdict: ErrorFields['verdict'];
  readonly stepScreenshots: ErrorFields['stepScreenshots'];

  constructor(message: string, fields: ErrorFields, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = fields.code;
    this.source = fields.source;
    this.status = fields.status;
    this.suggestion = fields.suggestion;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.targetStatusCode = fields.targetStatusCode;
    this.attempts = fields.attempts;
    this.verdict = fields.verdict;
    this.stepScreenshots = fields.stepScreenshots;
  }
}

/** Returns the error of a response that is not a success. */
export function errorOf(response: Response, text: string): GleanerError {
  const { status, headers } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const error = readEnvelope(text);
  if (error) return new GleanerError(error.message, { ...error, status, retryAfterMs });
  const requestId = headers.get('x-request-id') ?? undefined;
  return new GleanerError(describeForeign(response), {
    code: 'INVALID_RESPONSE',
    source: 'client',
    status,
    requestId,
    retryAfterMs,
    suggestion: 'Check that the URL is that of a Gleaner service, and what stands between here and it.',
  });
}

/** Describes a response of a proxy or another server at this address, not of a Gleaner service. */
function describeForeign({ status, type, url, headers }: Response): string {
  const location = headers.get('location');
  if (location) return `${url} redirects to ${location} instead of answering.`;
  if (type === 'opaqueredirect') return `${url} redirects instead of answering.`;
  const contentType = headers.get('content-type') ?? 'no content type';
  return `${url} answered ${status} with ${contentType}, not as a Gleaner service does.`;
}

function readEnvelope(text: string): ApiError | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorResponse>;
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds of Retry-After, which is a number of seconds or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
