import type { TracedAttempt } from '../scrape/attempt.ts';
import type { PageKind } from '../scrape/verdict.ts';
import { ERROR_TABLE, type ErrorCode, type ErrorSource } from './error-table.ts';

/** One error in a body, a query or a selector: `path` is dotted (`selectors.title`); '' means the whole. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** Fields of an error besides its code. All may be shown to the caller, except `cause`. */
export interface AppErrorOptions {
  /** Event and the field or resource concerned; never a secret. Defaults to the `when` of the table. */
  readonly message?: string;
  /** Advice for the caller; defaults to the table's. */
  readonly suggestion?: string;
  readonly details?: readonly ErrorDetail[];
  readonly source?: ErrorSource;
  /** Seconds to wait before a retry; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** HTTP status that the target answered with, if it answered. */
  readonly targetStatusCode?: number;
  /** Attempts at the target page, oldest first. */
  readonly attempts?: readonly TracedAttempt[];
  /** Kind of the page that was read, if the error is about its content. */
  readonly verdict?: PageKind;
  /** Underlying error; logged, never shown. */
  readonly cause?: unknown;
}

/** The only error type that crosses our boundaries; match on `code`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly suggestion: string;
  readonly source: ErrorSource;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly targetStatusCode: number | undefined;
  readonly attempts: readonly TracedAttempt[] | undefined;
  readonly verdict: PageKind | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERROR_TABLE[code].when, { cause: options.cause });
    this.code = code;
    this.suggestion = options.suggestion ?? ERROR_TABLE[code].suggestion;
    this.source = options.source ?? ERROR_TABLE[code].source;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.targetStatusCode = options.targetStatusCode;
    this.attempts = options.attempts;
    this.verdict = options.verdict;
  }
}

/** Converts a thrown value to an AppError: an AppError is returned unchanged, anything else becomes an INTERNAL_ERROR with its cause. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('INTERNAL_ERROR', { cause: thrown });
}
