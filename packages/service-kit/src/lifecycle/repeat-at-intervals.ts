import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger/create-logger.ts';

/** Options of `repeatAtIntervals`. */
export interface RepeatOptions {
  /** Time from the end of one round to the start of the next; up to a quarter more or less, so that replicas drift apart. */
  readonly intervalMs: number;
  readonly logger: Logger;
  /** Log message for a round that failed. */
  readonly onFailure: string;
}

/**
 * Repeats the work, starting now, one round at a time, also after a failed one. Returns a function that stops it and waits
 * for a round in progress.
 */
export function repeatAtIntervals(
  work: (signal: AbortSignal) => Promise<void>,
  { intervalMs, logger, onFailure }: RepeatOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((err: unknown) => {
        if (!signal.aborted) logger.warn({ err }, onFailure);
      });
      const delayMs = intervalMs * (0.75 + Math.random() / 2);
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
