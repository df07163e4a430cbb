import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger/create-logger.ts';

/** How work is repeated. */
export interface RepeatOptions {
  /** Between the end of one round and the beginning of the next; a quarter more or less, so that replicas drift apart. */
  readonly intervalMs: number;
  readonly logger: Logger;
  /** What the log says of a round that failed. */
  readonly onFailure: string;
}

/** Does the work now and then again and again, one round at a time, failed rounds too. Returns what ends it, waiting for a round under way. */
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
