import type { Response as ExpressResponse, NextFunction, Request } from 'express';
import type { Caller } from './authentication.ts';
import type { UploadedFile } from './body/parse-upload.ts';

/** State of one call. The first stage creates it; each later stage adds the field that it is named after, in the order of `app.ts`. */
export interface Call {
  /** Unique id of ours: charges, messages to workers and cancellations use it. */
  readonly id: string;
  /** Id that the client sees: its own X-Request-Id if valid, else `id`. */
  readonly requestId: string;
  /** Time of arrival in milliseconds since 1970; deadlines count from it. */
  readonly arrivedAtMs: number;
  /** The same moment on the monotonic clock; durations count from it. */
  readonly startedAtMs: number;
  /** Aborts when the client disconnects before its response is complete. */
  readonly signal: AbortSignal;
  /** Name of the route, or path of the page, that took the call. */
  route?: string;
  caller?: Caller;
  /** Settles when the call is counted; rejects with RATE_LIMITED or SERVICE_UNAVAILABLE. No response is sent before. */
  admission?: Promise<void>;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  /** The file of an upload, whose options are the body. */
  file?: UploadedFile;
  /** Code of the error that was answered. */
  errorCode?: string;
}

/** Response with its call. */
export type Response = ExpressResponse<unknown, { call: Call }>;

/** One stage that every call, or every call of a route, passes. */
export type Stage = (request: Request, response: Response, next: NextFunction) => void | Promise<void>;

/** Returns a value that an earlier stage has set; without it the order of the stages is wrong. */
export function expectSet<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`No earlier stage has set ${name}.`);
  return value;
}
