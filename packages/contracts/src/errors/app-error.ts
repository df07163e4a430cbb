import { ERROR_TABLE, type ErrorCode, type ErrorSource } from './error-table.ts';

/** One fault of a body, a query or a selector: `path` is dotted (`selectors.title`), '' is the whole. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** What an error says beside its code; everything here may be shown to the caller, except `cause`. */
export interface AppErrorOptions {
  /** What happened, to what; never a secret. Defaults to the table's `when`. */
  readonly message?: string;
  /** What the caller can do; defaults to the table's. */
  readonly suggestion?: string;
  readonly details?: readonly ErrorDetail[];
  readonly source?: ErrorSource;
  /** After how many seconds a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
  /** The HTTP status that the target answered with, where it did. */
  readonly targetStatusCode?: number;
  /** The fault underneath; logged, never shown. */
  readonly cause?: unknown;
}

/** The one error that crosses our boundaries; callers match on `code`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly suggestion: string;
  readonly source: ErrorSource;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly targetStatusCode: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERROR_TABLE[code].when, { cause: options.cause });
    this.code = code;
    this.suggestion = options.suggestion ?? ERROR_TABLE[code].suggestion;
    this.source = options.source ?? ERROR_TABLE[code].source;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.targetStatusCode = options.targetStatusCode;
  }
}

/** Any thrown value as an AppError: our own unchanged, everything else an INTERNAL_ERROR with its cause. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('INTERNAL_ERROR', { cause: thrown });
}
