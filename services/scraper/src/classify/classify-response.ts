import { AppError } from '@gleaner/contracts';
import { FAILURE_BYTES, parseRetryAfter } from '@gleaner/egress';
import { findBlockingVendor } from './block-signatures.ts';
import { describeNonDocument } from './describe-content.ts';

/** What a target answered, from either engine. */
export interface TargetResponse {
  /** Messages name it, without its query. */
  readonly url: string;
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body decoded; the first CLASSIFIED_BYTES of it are enough. */
  readonly html: string;
}

/** A wall is a small page, and magic numbers come first: no more of a failure is fetched either. */
export const CLASSIFIED_BYTES = FAILURE_BYTES;

const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 451]);
/** For a target that does not say how long it wants to be left alone. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

const MISSING_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * Throws unless the answer is the page that was asked for: BLOCKED for a refusal, or a vendor's wall under any status;
 * NOT_FOUND; RATE_LIMITED with the seconds to wait; UPSTREAM_ERROR for every other failure; UNSUPPORTED_CONTENT.
 */
export function classifyResponse(response: TargetResponse, nowMs = Date.now()): void {
  const error = blocked(response) ?? failed(response, nowMs) ?? unsupported(response);
  if (error) throw error;
}

function blocked({ url, statusCode, headers, html }: TargetResponse): AppError | undefined {
  const vendor = findBlockingVendor(headers, html);
  if (vendor !== undefined) {
    return new AppError('BLOCKED', {
      message: `${vendor} stands before the site and refused ${nameOf(url)} (status ${statusCode}).`,
      targetStatusCode: statusCode,
    });
  }
  if (!REFUSING_STATUSES.has(statusCode)) return undefined;
  return new AppError('BLOCKED', {
    message: `The site refused ${nameOf(url)} with status ${statusCode}.`,
    targetStatusCode: statusCode,
    ...(statusCode === 401
      ? {
          suggestion:
            'The page wants a login: send its cookies or an Authorization header, or enable antiBot.',
        }
      : {}),
  });
}

function failed({ url, statusCode, headers }: TargetResponse, nowMs: number): AppError | undefined {
  if (MISSING_STATUSES.has(statusCode)) {
    return new AppError('NOT_FOUND', {
      message: `The site answered ${statusCode}: ${nameOf(url)} is not there.`,
      targetStatusCode: statusCode,
    });
  }
  if (statusCode === 429) {
    return new AppError('RATE_LIMITED', {
      message: `The site limits how often it is asked for ${nameOf(url)} (status 429).`,
      source: 'target',
      retryAfterSeconds: parseRetryAfter(headers['retry-after'], nowMs) ?? DEFAULT_RETRY_AFTER_SECONDS,
      targetStatusCode: statusCode,
    });
  }
  if (statusCode >= 200 && statusCode < 300) return undefined;
  return new AppError('UPSTREAM_ERROR', {
    message: `The site answered with status ${statusCode} in place of ${nameOf(url)}.`,
    targetStatusCode: statusCode,
  });
}

function unsupported({ url, statusCode, headers, body }: TargetResponse): AppError | undefined {
  const kind = body.length === 0 ? undefined : describeNonDocument(body, headers['content-type']);
  if (kind === undefined) return undefined;
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `What the site sent for ${nameOf(url)} is ${kind}, not a document.`,
    targetStatusCode: statusCode,
  });
}

const MAX_NAME_CHARS = 200;

/** The URL as messages name it: a query may hold what is nobody else's business. */
export function nameOf(url: string): string {
  const bare = url.replace(/[?#].*$/s, '');
  return bare.length > MAX_NAME_CHARS ? `${bare.slice(0, MAX_NAME_CHARS)}…` : bare;
}
