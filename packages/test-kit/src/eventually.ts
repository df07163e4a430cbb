import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of a wait. */
export interface EventuallyOptions {
  /** Default 240 000. */
  readonly timeoutMs?: number;
  /** Default 20. */
  readonly intervalMs?: number;
}

/**
 * Runs a check until it no longer throws, and returns its result. When time runs out it throws the last error of the
 * check, so that a failing test shows the assertion and not the wait.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 240_000, intervalMs = 20 } = options;
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= giveUpAt) throw error;
    }
    await delay(intervalMs);
  }
}
