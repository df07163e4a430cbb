import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait, and how often to look. */
export interface EventuallyOptions {
  /** Default 30 000. */
  readonly timeoutMs?: number;
  /** Default 20. */
  readonly intervalMs?: number;
}

/**
 * Runs a check until it no longer throws, and gives what it returns. When time runs out it throws what the check threw
 * last, so a failing test shows the assertion and not the waiting.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, intervalMs = 20 } = options;
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
