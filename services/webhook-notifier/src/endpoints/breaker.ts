import { type Backoff, backoffMs } from '@gleaner/contracts';

/** Failures of an endpoint in a row, and the end of its pause. */
export interface BreakerState {
  readonly failures: number;
  readonly pausedUntilMs: number;
}

/** State of an endpoint without recent failures. */
export const HEALTHY: BreakerState = { failures: 0, pausedUntilMs: 0 };

/** Failures in a row after which an endpoint is paused. */
const THRESHOLD = 5;
const MAX_PAUSE_MS = 60_000;
const PAUSE: Backoff = { firstMs: 1000, longestMs: MAX_PAUSE_MS, jitter: 'none' };

/** Returns the state after an attempt: success forgets all failures, further failures lengthen the pause. */
export function afterAttempt(
  state: BreakerState,
  { isHealthy, retryAfterMs, nowMs }: AttemptReport,
): BreakerState {
  if (isHealthy) return HEALTHY;
  const failures = state.failures + 1;
  const askedMs = Math.min(retryAfterMs, MAX_PAUSE_MS);
  const ownMs = failures < THRESHOLD ? 0 : backoffMs(PAUSE, failures - THRESHOLD);
  return { failures, pausedUntilMs: nowMs + Math.max(askedMs, ownMs) };
}

/** Health of an endpoint as one attempt showed it. */
export interface AttemptReport {
  readonly isHealthy: boolean;
  /** Its Retry-After. */
  readonly retryAfterMs: number;
  readonly nowMs: number;
}

/** Returns the attempts that an endpoint may have at once: none in a pause, one to probe it after that, else all. */
export function allowance({ failures, pausedUntilMs }: BreakerState, nowMs: number, usual: number): number {
  if (nowMs < pausedUntilMs) return 0;
  return failures >= THRESHOLD ? 1 : usual;
}
