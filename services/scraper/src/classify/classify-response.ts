import { AppError } from '@gleaner/contracts';
import { FAILURE_BYTES, parseRetryAfter, quoteUrl } from '@gleaner/egress';
import { findBlockingVendor } from './block-signatures.ts';
import { describeNonDocument, isPdf, isPdfType } from './describe-content.ts';
import { noDocument } from './no-page.ts';

// An import would load undici as well: docs/decisions/idle-memory.md.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** A target's response, from either engine. */
export interface TargetResponse {
  readonly url: string;
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body decoded; the first CLASSIFIED_BYTES of it are enough. */
  readonly html: string;
}

/** Walls are small pages and magic numbers come first; no more of an error page is fetched either. */
export const CLASSIFIED_BYTES = FAILURE_BYTES;

const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 451]);
/** For a target that answers 429 without a Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

const MISSING_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * Throws unless the response is the page that was asked for: BLOCKED for a status that refuses access, or a vendor's wall with any status;
 * NOT_FOUND; RATE_LIMITED with the seconds to wait; UPSTREAM_ERROR for other failing statuses; UNSUPPORTED_CONTENT.
 */
export function classifyResponse(response: TargetResponse, nowMs = Date.now()): void {
  requireAnswer(response, nowMs);
  const error = unsupported(response);
  if (error) throw error;
}

/** Throws the same for a response of any type, such as a file. */
export function requireAnswer(response: TargetResponse, nowMs = Date.now()): void {
  const error = blocked(response) ?? failed(response, nowMs);
  if (error) throw error;
}

/** Throws the error of a response whose status is not one of success, without a look at its body. */
export function requireSuccess(
  response: Pick<TargetResponse, 'url' | 'statusCode' | 'headers'>,
  nowMs = Date.now(),
): void {
  const error = refused(response) ?? failed(response, nowMs);
  if (error) throw error;
}

function blocked(response: TargetResponse): AppError | undefined {
  const { url, statusCode, headers, html } = response;
  const vendor = findBlockingVendor(headers, html);
  if (vendor === undefined) return refused(response);
  return new AppError('BLOCKED', {
    message: `${vendor} blocked the request for ${quoteUrl(url)} (status ${statusCode}).`,
    targetStatusCode: statusCode,
  });
}

function refused({ url, statusCode }: Pick<TargetResponse, 'url' | 'statusCode'>): AppError | undefined {
  if (!REFUSING_STATUSES.has(statusCode)) return undefined;
  return new AppError('BLOCKED', {
    message: `The site refused the request for ${quoteUrl(url)} with status ${statusCode}.`,
    targetStatusCode: statusCode,
    ...(statusCode === 401
      ? {
          suggestion:
            'The page needs a login: use a profile, send its cookies or an Authorization header, or enable antiBot.',
        }
      : {}),
  });
}

function failed(
  { url, statusCode, headers }: Pick<TargetResponse, 'url' | 'statusCode' | 'headers'>,
  nowMs: number,
): AppError | undefined {
  if (MISSING_STATUSES.has(statusCode)) {
    return new AppError('NOT_FOUND', {
      message: `The site answered ${describeStatus(statusCode)} for ${quoteUrl(url)}.`,
      targetStatusCode: statusCode,
    });
  }
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'], nowMs);
  if (statusCode === 429) {
    return new AppError('RATE_LIMITED', {
      message: `The site limits how often ${quoteUrl(url)} may be requested (status 429).`,
      source: 'target',
      retryAfterSeconds: retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS,
      targetStatusCode: statusCode,
    });
  }
  if (statusCode >= 200 && statusCode < 300) return undefined;
  return new AppError('UPSTREAM_ERROR', {
    message: `The site answered ${describeStatus(statusCode)} for ${quoteUrl(url)}.`,
    targetStatusCode: statusCode,
    ...(statusCode === 503 && retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function describeStatus(statusCode: number): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim();
}

function unsupported({ url, statusCode, headers, body }: TargetResponse): AppError | undefined {
  const contentType = headers['content-type'];
  if (isPdf(body, contentType)) return undefined;
  if (body.length > 0 && isPdfType(contentType)) return noPdf(url, statusCode);
  const kind = body.length === 0 ? undefined : describeNonDocument(body, contentType);
  if (kind === undefined) return undefined;
  return noDocument(headers['content-type'], {
    message: `The content of ${quoteUrl(url)} is ${kind}, not a document.`,
    targetStatusCode: statusCode,
  });
}

/** Servers send their pages about errors and logins with the type of the file that was asked for. */
function noPdf(url: string, statusCode: number): AppError {
  return noDocument('application/pdf', {
    message: `${quoteUrl(url)} was sent as a PDF, but does not begin with %PDF-.`,
    suggestion: 'Open it in a browser: it may be a page that asks for a login, or an incomplete file.',
    targetStatusCode: statusCode,
  });
}
