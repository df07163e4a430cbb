/** What a notifier remembers of an endpoint: how often in a row it failed, and until when it is left alone. */
export interface BreakerState {
  readonly failures: number;
  readonly pausedUntilMs: number;
}

/** An endpoint that nothing is known against. */
export const HEALTHY: BreakerState = { failures: 0, pausedUntilMs: 0 };

/** So many failures in a row, and an endpoint is left alone for a while. */
const THRESHOLD = 5;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/** After a try that the endpoint did not fail: whatever was is forgotten. After one that it did, pauses that grow. */
export function afterTry(state: BreakerState, { isHealthy, retryAfterMs, nowMs }: TryReport): BreakerState {
  if (isHealthy) return HEALTHY;
  const failures = state.failures + 1;
  const askedMs = Math.min(retryAfterMs, MAX_PAUSE_MS);
  const ownMs =
    failures < THRESHOLD ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - THRESHOLD));
  return { failures, pausedUntilMs: nowMs + Math.max(askedMs, ownMs) };
}

/** What a try says of its endpoint. */
export interface TryReport {
  readonly isHealthy: boolean;
  /** How long it asked to be left alone. */
  readonly retryAfterMs: number;
  readonly nowMs: number;
}

/** How many tries an endpoint may have at once: none in a pause, one to see whether it is back, else all. */
export function allowance({ failures, pausedUntilMs }: BreakerState, nowMs: number, usual: number): number {
  if (nowMs < pausedUntilMs) return 0;
  return failures >= THRESHOLD ? 1 : usual;
}
