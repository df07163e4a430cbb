import type { GleanerError } from './error.ts';

/** Effect that a repeated call could have twice: none, a scrape, or any. */
export type Repeatability = 'safe' | 'scrape' | 'once';

/** A call that failed. */
export interface FailedAttempt {
  readonly error: Pick<GleanerError, 'code' | 'source' | 'status' | 'retryAfterMs' | 'cause'>;
  readonly repeatability: Repeatability;
  /** Retries before this attempt. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Time that is left for the whole call. */
  readonly remainingMs: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

const BASE_MS = 300;
const LONGEST_MS = 10_000;

/**
 * Returns the milliseconds to wait before the call is sent again; undefined when it must not be, or time does not allow it.
 * An error of the target is an answer, never retried.
 */
export function decideRetry(attempt: FailedAttempt): number | undefined {
  const { error, retries, maxRetries, remainingMs, random } = attempt;
  if (retries >= maxRetries || error.source === 'target' || !mayRepeat(attempt)) return undefined;
  const spreadMs = random * Math.min(LONGEST_MS, BASE_MS * 2 ** retries);
  const delayMs = (error.retryAfterMs ?? 0) + spreadMs;
  return delayMs < remainingMs ? delayMs : undefined;
}

function mayRepeat({ error, repeatability }: FailedAttempt): boolean {
  if (hasNotLeft(error)) return true;
  const passes = PASSING[repeatability];
  if (error.code === 'CONNECTION_FAILED') return passes.lostConnection;
  return error.status !== undefined && passes.statuses.includes(error.status);
}

/**
 * Failures after which a call may be sent again. A scrape that is refused with 429 or 503 did not run. Anything else that
 * is not safe to repeat is repeated only after 429, which is given before anything is done.
 */
const PASSING: Readonly<Record<Repeatability, { lostConnection: boolean; statuses: readonly number[] }>> = {
  safe: { lostConnection: true, statuses: [429, 502, 503] },
  scrape: { lostConnection: false, statuses: [429, 503] },
  once: { lostConnection: false, statuses: [429] },
};

/** Returns true when no connection was made, so that the service cannot have seen the call. */
function hasNotLeft({ code, cause }: FailedAttempt['error']): boolean {
  return code === 'CONNECTION_FAILED' && NOT_CONNECTED.has(systemCodeOf(cause) ?? '');
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Returns the code of the system error beneath the TypeError of fetch. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth += 1) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    const [first] = each instanceof AggregateError ? each.errors : [];
    if (first) return systemCodeOf(first);
  }
  return undefined;
}
