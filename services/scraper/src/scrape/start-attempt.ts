import type { AppError, Attempt, Engine } from '@gleaner/contracts';

/** An attempt under way; one of its two ends makes the entry for `metadata.attempts`. */
export interface AttemptClock {
  succeeded(statusCode: number): Attempt;
  failed(error: AppError): Attempt;
}

/** Starts the clock of one try at a page, through a proxy where one is named. */
export function startAttempt(engine: Engine, proxy: string | undefined): AttemptClock {
  const startedAt = performance.now();
  const way = { engine, ...(proxy !== undefined && { proxy }) };
  const durationMs = () => Math.round(performance.now() - startedAt);
  return {
    succeeded: (statusCode) => ({ ...way, statusCode, outcome: 'success', durationMs: durationMs() }),
    failed: ({ code, targetStatusCode }) => ({
      ...way,
      ...(targetStatusCode !== undefined && { statusCode: targetStatusCode }),
      outcome: code,
      durationMs: durationMs(),
    }),
  };
}
