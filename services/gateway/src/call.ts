import type { NextFunction, Request, Response } from 'express';
import type { Caller } from './authentication/caller.ts';

/**
 * What is known of one call. The first middleware makes it; each later one adds what it is named after, so what
 * a handler reads is there by the order in `app.ts`.
 */
export interface Call {
  /** Ours and unique: what is charged, sent to workers and cancelled goes by it. */
  readonly id: string;
  /** What the caller sees and searches for: its own X-Request-Id when that was sane, else `id`. */
  readonly requestId: string;
  /** When the call arrived, in milliseconds since 1970; deadlines count from here. */
  readonly arrivedAtMs: number;
  /** The same moment on the monotonic clock; durations count from here. */
  readonly startedAtMs: number;
  /** Aborts when the caller has gone away before its answer. */
  readonly signal: AbortSignal;
  /** The route of the contract, or the path of the page, that took the call. */
  route?: string;
  caller?: Caller;
  /** Settles when the call is counted: rejects with RATE_LIMITED, or SERVICE_UNAVAILABLE. Nothing is answered before. */
  admission?: Promise<void>;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  /** The code of the error that was answered. */
  errorCode?: string;
}

/** An answer under way, with its call. */
export type Answer = Response<unknown, { call: Call }>;

/** One stage that every call, or every call of a route, passes. */
export type Stage = (request: Request, response: Answer, next: NextFunction) => void | Promise<void>;

/** What an earlier stage has put there; its absence is a mistake in the order of the stages. */
export function expectSet<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`No earlier stage has set ${name}.`);
  return value;
}
